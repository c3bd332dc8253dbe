package dev.parley.server.workflow;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.work.CallException;

/** The output of a task that has run an operating-system process. */
final class ProcessResult {
    private static final int MAX_OUTPUT = 500;

    private ProcessResult() {}

    /**
     * What is wanted of it.
     *
     * @param ended {@code code}, {@code stdout}, {@code stderr}
     * @param wanted one of these, {@code all} or {@code none}
     * @param what it is called where it failed
     * @throws CallException when the code is not 0, and nobody wants to see it
     */
    static Json of(Json ended, String wanted, String what) throws CallException {
        boolean shown = wanted.equals("code") || wanted.equals("all");
        if (!shown && !ended.get("code").equals(Json.of(0))) {
            String said = ended.get("stderr").display();
            throw CallException.communication(
                    what + " ended with code " + ended.get("code").display() + ": "
                            + (said.length() > MAX_OUTPUT ? said.substring(said.length() - MAX_OUTPUT) : said).strip());
        }
        return switch (wanted) {
            case "all" -> ended;
            case "none" -> Values.NULL;
            case "code", "stderr" -> ended.get(wanted);
            default -> ended.get("stdout");
        };
    }
}
