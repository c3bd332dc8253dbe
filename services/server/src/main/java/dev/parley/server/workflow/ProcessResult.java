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
     * @param result of the process: {@code code}, {@code stdout}, {@code stderr}
     * @param selection one of these, {@code all} or {@code none}
     * @param name name of the process in errors
     * @throws CallException when the code is neither 0 nor part of the output
     */
    static Json of(Json result, String selection, String name) throws CallException {
        boolean hasCode = selection.equals("code") || selection.equals("all");
        if (!hasCode && !result.get("code").equals(Json.of(0))) {
            String error = result.get("stderr").display();
            throw CallException.communication(name + " ended with code "
                    + result.get("code").display() + ": "
                    + (error.length() > MAX_OUTPUT ? error.substring(error.length() - MAX_OUTPUT) : error).strip());
        }
        return switch (selection) {
            case "all" -> result;
            case "none" -> Values.NULL;
            case "code", "stderr" -> result.get(selection);
            default -> result.get("stdout");
        };
    }
}
