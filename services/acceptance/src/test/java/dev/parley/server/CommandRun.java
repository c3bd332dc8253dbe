package dev.parley.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** A command that was run in this process, with its exit status and output. */
record CommandRun(int status, String out, String err) {
    static CommandRun of(Map<String, String> environment, String... arguments) {
        var out = new StringWriter();
        var err = new StringWriter();
        int status = Parley.commandLine(environment, Program.installed())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
        return new CommandRun(status, out.toString(), err.toString());
    }

    /** All output. */
    String output() {
        return out + err;
    }

    JsonNode json() {
        return Api.json(out);
    }
}
