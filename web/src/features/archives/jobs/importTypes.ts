import { msg } from "../../../lib/i18n";

/** The kinds of files that import jobs read (docs/archivesspace). */
export const IMPORT_TYPES = [
  { id: "ead_xml", label: msg("Finding aids: EAD 2002 or EAD3") },
  { id: "marcxml", label: msg("Resources: MARCXML") },
  { id: "marcxml_accession", label: msg("Accessions: MARCXML") },
  { id: "marcxml_subjects_and_agents", label: msg("Subjects and agents: MARCXML") },
  { id: "marcxml_auth_agent", label: msg("Agents: MARCXML authority records") },
  { id: "eac_xml", label: msg("Agents: EAC-CPF") },
  { id: "accession_csv", label: msg("Accessions: CSV") },
  { id: "digital_object_csv", label: msg("Digital objects: CSV") },
  { id: "subject_csv", label: msg("Subjects: CSV") },
  { id: "assessment_csv", label: msg("Assessments: CSV") },
  { id: "location_csv", label: msg("Locations: CSV") },
] as const;
