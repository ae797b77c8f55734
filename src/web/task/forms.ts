/** Everything one writes in on a task: one file of its own, for those who only read do not need it. */
export { ContentForm } from "./content-form.tsx";
export { EdgeForm } from "./edge-form.tsx";
export { FieldsForm } from "./fields-form.tsx";
export { Judge } from "./judge.tsx";
export { RequestChanges } from "./request-changes.tsx";
export { StopQuestion } from "./stop-question.tsx";
export { SubtaskDialog } from "./subtask-dialog.tsx";
