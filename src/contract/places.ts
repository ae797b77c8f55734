/** Where a board's data must stay, for good; and near whom it may be placed. */
export const JURISDICTIONS = ["eu", "us", "fedramp", "fedramp-high"] as const;

export type Jurisdiction = (typeof JURISDICTIONS)[number];

export const LOCATION_HINTS = [
  "wnam",
  "enam",
  "sam",
  "weur",
  "eeur",
  "apac",
  "apac-ne",
  "apac-se",
  "oc",
  "afr",
  "me",
] as const;
