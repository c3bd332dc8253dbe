package dev.parley.channels.registry;

import io.micronaut.http.HttpStatus;

/** An error with the code that clients of a schema registry know: the HTTP status, and two digits where it has more. */
final class RegistryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int code;

    private RegistryException(int code, String message) {
        super(message, null, false, false);
        this.code = code;
    }

    static RegistryException noSubject(String subject) {
        return new RegistryException(40401, "Subject '" + subject + "' not found.");
    }

    static RegistryException noVersion(String version) {
        return new RegistryException(40402, "Version " + version + " not found.");
    }

    static RegistryException noSchema(String which) {
        return new RegistryException(40403, "Schema " + which + "not found");
    }

    static RegistryException noCompatibility(String subject) {
        return new RegistryException(
                40408, "Subject '" + subject + "' does not have subject-level compatibility configured");
    }

    static RegistryException noMode(String subject) {
        return new RegistryException(40409, "Subject '" + subject + "' does not have subject-level mode configured");
    }

    static RegistryException noResource() {
        return new RegistryException(404, "HTTP 404 Not Found");
    }

    static RegistryException invalidSchema(String reason) {
        return new RegistryException(42201, "Invalid schema: " + reason);
    }

    static RegistryException invalidVersion(String version) {
        return new RegistryException(
                42202,
                "The specified version '" + version
                        + "' is not a valid version id. Allowed values are between [1, 2^31-1]"
                        + " and the string \"latest\"");
    }

    static RegistryException readOnly() {
        return new RegistryException(42205, "This registry is in read-only mode: its schemas are those of the release");
    }

    int code() {
        return code;
    }

    HttpStatus status() {
        return HttpStatus.valueOf(code < 1000 ? code : code / 100);
    }
}
