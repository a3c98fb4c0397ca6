/** The repository that the archivist works in, kept in this browser. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { Repository } from "../../api/archivesTypes";
import { Store, useStore } from "../../lib/store";
import { numberOf } from "./addresses";
import { archivesUser, repositories } from "./queries";

const KEPT_AS = "carrel.repository";

const chosen = new Store<number | undefined>(Number(localStorage.getItem(KEPT_AS)) || undefined);

export function chooseRepository(repository: number): void {
  localStorage.setItem(KEPT_AS, String(repository));
  chosen.set(repository);
}

/** The repository of the page's address. */
export function usePageRepository(): number {
  const { repository } = useParams({ strict: false }) as { repository?: string };
  return Number(repository);
}

/** The chosen repository, or else the first. */
export function useChosenRepository() {
  const query = useQuery(repositories);
  const kept = useStore(chosen);
  const current = query.data?.find(({ uri }) => numberOf(uri) === kept) ?? query.data?.[0];
  return { ...query, current };
}

export const repositoryName = ({ name, repo_code }: Repository): string => `${name} (${repo_code})`;

/** Tells whether the user has a permission of the archives in a repository; true until that is known. */
export function useMay(repository: number): (permission: string) => boolean {
  const permissions = useQuery(archivesUser).data?.permissions;
  if (!permissions) return () => true;
  const places = [`/repositories/${repository}`, "/repositories/1", "_archivesspace"];
  const codes = new Set(places.flatMap((place) => permissions[place] ?? []));
  return (permission) => codes.has(permission);
}
