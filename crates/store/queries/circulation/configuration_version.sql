-- The version of the configuration.
SELECT version FROM configuration_version
