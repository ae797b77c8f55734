/** A bucket that does not do what it was asked, told apart from everything else that may go wrong on the way. */
export class BucketFailed extends Error {
  override readonly name = "BucketFailed";
}

/** What the bucket answers; what it throws is its own failure. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw new BucketFailed(String(error));
  }
}
