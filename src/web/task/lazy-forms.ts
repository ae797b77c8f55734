/** What one writes in comes when somebody first does. */
import { lazy } from "react";

const forms = () => import("./forms.ts");

export const ContentForm = lazy(async () => ({ default: (await forms()).ContentForm }));
export const EdgeForm = lazy(async () => ({ default: (await forms()).EdgeForm }));
export const FieldsForm = lazy(async () => ({ default: (await forms()).FieldsForm }));
export const Judge = lazy(async () => ({ default: (await forms()).Judge }));
export const RequestChanges = lazy(async () => ({ default: (await forms()).RequestChanges }));
export const StopQuestion = lazy(async () => ({ default: (await forms()).StopQuestion }));
export const SubtaskDialog = lazy(async () => ({ default: (await forms()).SubtaskDialog }));
