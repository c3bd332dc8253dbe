package dev.parley.server.workflow;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.work.CallException;

/** The output of a task that has run an operating-system process. */
final class ProcessResult {
    private static final int MAX_OUTPUT = 500;

    private ProcessResult() {}

    /**
     * Selects the output.
     *
     * @param ended {@code code}, {@code stdout}, {@code stderr}
     * @param wanted one of these, {@code all} or {@code none}
     * @param what name of the process in errors
     * @throws CallException when the code is neither 0 nor part of the output
     */
    static Json of(Json ended, String wanted, String what) throws CallException {
        boolean hasCode = wanted.equals("code") || wanted.equals("all");
        if (!hasCode && !ended.get("code").equals(Json.of(0))) {
            String error = ended.get("stderr").display();
            throw CallException.communication(what + " ended with code "
                    + ended.get("code").display() + ": "
                    + (error.length() > MAX_OUTPUT ? error.substring(error.length() - MAX_OUTPUT) : error).strip());
        }
        return switch (wanted) {
            case "all" -> ended;
            case "none" -> Values.NULL;
            case "code", "stderr" -> ended.get(wanted);
            default -> ended.get("stdout");
        };
    }
}
