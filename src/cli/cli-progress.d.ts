/** The part of cli-progress that is used; the package brings no types. */
declare module "cli-progress" {
  interface Options {
    format?: string;
    stream?: NodeJS.WritableStream;
    barsize?: number;
    hideCursor?: boolean;
    clearOnComplete?: boolean;
  }
  type Payload = Record<string, string | number>;

  class SingleBar {
    constructor(options: Options, preset?: object);
    start(total: number, value: number, payload?: Payload): void;
    update(value: number, payload?: Payload): void;
    stop(): void;
  }
  const progress: { SingleBar: typeof SingleBar; Presets: { shades_classic: object } };
  export default progress;
}
