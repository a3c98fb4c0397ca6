import { later } from "../../ui/later";

/** The preview with what it needs to draw bar codes and clean HTML, loaded when there is a template. */
export const LazyPreview = later(() => import("./TemplatePreview").then((file) => file.default));
