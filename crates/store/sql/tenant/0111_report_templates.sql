-- Templates of reports that staff put together themselves are records of their own type.
CREATE SEQUENCE archival_id_custom_report_template;
