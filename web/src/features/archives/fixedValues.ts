/**
 * Values of the archives that ArchivesSpace fixes, in words: its lists that no library can change, and kinds of records. The
 * one table of them; what a library adds to its own lists is shown as it is.
 */
import { msg } from "../../lib/i18n";

export const FIXED: Readonly<Record<string, string>> = {
  // Levels of description (archival_record_level).
  class: msg("Class"),
  collection: msg("Collection"),
  file: msg("File"),
  fonds: msg("Fonds"),
  item: msg("Item"),
  otherlevel: msg("Other level"),
  recordgrp: msg("Record group"),
  series: msg("Series"),
  subfonds: msg("Subfonds"),
  subgrp: msg("Subgroup"),
  subseries: msg("Subseries"),
  // Kinds of dates (date_type).
  single: msg("Single"),
  bulk: msg("Bulk"),
  inclusive: msg("Inclusive"),
  range: msg("Range"),
  // How certain a date is (date_certainty).
  approximate: msg("Approximate"),
  inferred: msg("Inferred"),
  questionable: msg("Questionable"),
  // Portions of extents (extent_portion).
  whole: msg("Whole"),
  part: msg("Part"),
  // Roles of agents (linked_agent_role).
  creator: msg("Creator"),
  source: msg("Source"),
  subject: msg("Subject"),
  // Kinds of agents.
  agent_person: msg("Person"),
  agent_family: msg("Family"),
  agent_corporate_entity: msg("Corporate entity"),
  agent_software: msg("Software"),
  // Where containers are (container_location_status).
  current: msg("Current"),
  previous: msg("Previous"),
  // Terms of subjects (subject_term_type).
  cultural_context: msg("Cultural context"),
  function: msg("Function"),
  geographic: msg("Geographic"),
  genre_form: msg("Genre or form"),
  occupation: msg("Occupation"),
  style_period: msg("Style or period"),
  technique: msg("Technique"),
  temporal: msg("Temporal"),
  topical: msg("Topical"),
  uniform_title: msg("Uniform title"),
  // Notes (note_multipart_type, note_singlepart_type, note_digital_object_type, note_langmaterial_type, note_bibliography_type, note_index_type).
  abstract: msg("Abstract"),
  accessrestrict: msg("Conditions governing access"),
  accruals: msg("Accruals"),
  acqinfo: msg("Immediate source of acquisition"),
  altformavail: msg("Existence and location of copies"),
  appraisal: msg("Appraisal"),
  arrangement: msg("Arrangement"),
  bibliography: msg("Bibliography"),
  bioghist: msg("Biographical or historical note"),
  custodhist: msg("Custodial history"),
  dimensions: msg("Dimensions"),
  edition: msg("Edition"),
  extent: msg("Extent"),
  fileplan: msg("File plan"),
  index: msg("Index"),
  inscription: msg("Inscription"),
  langmaterial: msg("Language of materials"),
  legalstatus: msg("Legal status"),
  materialspec: msg("Materials specific details"),
  note: msg("Note"),
  odd: msg("General note"),
  originalsloc: msg("Existence and location of originals"),
  otherfindaid: msg("Other finding aids"),
  physdesc: msg("Physical description"),
  physfacet: msg("Physical facet"),
  physloc: msg("Physical location"),
  phystech: msg("Physical characteristics and technical requirements"),
  prefercite: msg("Preferred citation"),
  processinfo: msg("Processing information"),
  relatedmaterial: msg("Related materials"),
  scopecontent: msg("Scope and contents"),
  separatedmaterial: msg("Separated materials"),
  summary: msg("Summary"),
  userestrict: msg("Conditions governing use"),
  // Texts of accessions, which are fields and no values.
  content_description: msg("Content description"),
  condition_description: msg("Condition description"),
  provenance: msg("Provenance"),
  general_note: msg("General note"),
  // Switches.
  true: msg("Yes"),
  false: msg("No"),
};
