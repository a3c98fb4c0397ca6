/** Sends the files of an import. `fetch` does not tell how far an upload is, so this uses the older call. */
import { addressOf, refusalOf } from "../../../api/archivesClient";
import type { Saved } from "../../../api/archivesTypes";
import { callerHeaders } from "../../../api/client";
import { ConnectionLostError } from "../../../api/errors";

export interface Import {
  repository: number;
  type: string;
  /** Put right what breaks a rule, and list it. */
  isTolerant: boolean;
  files: readonly File[];
}

export function startImport(
  { repository, type, isTolerant, files }: Import,
  onPart: (part: number) => void,
): Promise<Saved> {
  const form = new FormData();
  const job = {
    jsonmodel_type: "job",
    job: {
      jsonmodel_type: "import_job",
      import_type: type,
      filenames: files.map(({ name }) => name),
    },
    ...(isTolerant && { job_params: JSON.stringify({ tolerant: true }) }),
  };
  form.append("job", JSON.stringify(job));
  for (const file of files) form.append("files[]", file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", addressOf(`/repositories/${repository}/jobs_with_files`));
    for (const [name, value] of Object.entries(callerHeaders()))
      request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onPart(total > 0 ? loaded / total : 0);
    request.onerror = () => reject(new ConnectionLostError());
    request.onload = () => {
      const { status, responseText } = request;
      if (status >= 200 && status < 300) resolve(JSON.parse(responseText) as Saved);
      else reject(refusalOf(status, responseText));
    };
    request.send(form);
  });
}
