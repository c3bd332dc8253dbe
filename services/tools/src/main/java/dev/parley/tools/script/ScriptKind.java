package dev.parley.tools.script;

import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.kind.Fields;
import dev.parley.tools.kind.ToolKind;
import dev.parley.tools.sandbox.Sandbox;
import dev.parley.tools.sandbox.child.Language;
import dev.parley.tools.sandbox.child.Message.Answer;
import dev.parley.tools.sandbox.child.Message.Ask;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * Tools that are scripts: {@code {"script": "return args.a + args.b"}}. What a script can do, it does to nobody: it may be run
 * again.
 */
public final class ScriptKind implements ToolKind {
    /** Most characters of a script. */
    static final int LONGEST = 100_000;

    private static final int LARGEST_ARGUMENTS = 1 << 20;

    private final Language language;
    private final Sandbox sandbox;

    private ScriptKind(Language language, Sandbox.Limits limits) {
        this.language = language;
        this.sandbox = new Sandbox(language, limits);
    }

    /** Scripts in JavaScript. */
    public static ScriptKind javascript() {
        return new ScriptKind(Language.JAVASCRIPT, Sandbox.Limits.DEFAULT);
    }

    static ScriptKind of(Language language, Sandbox.Limits limits) {
        return new ScriptKind(language, limits);
    }

    @Override
    public String name() {
        return language.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Runner runner(JsonNode implementation) {
        String script = Fields.of(implementation, "script").text("script", LONGEST);
        return (call, arguments) -> run(script, call, arguments);
    }

    private ToolOutput run(String script, ToolCallContext call, JsonNode arguments)
            throws IOException, InterruptedException {
        String json = arguments.toString();
        if (json.getBytes(StandardCharsets.UTF_8).length > LARGEST_ARGUMENTS) {
            return new ToolOutput.Failed("the arguments are longer than 1 MiB");
        }
        Answer answer =
                sandbox.run(call.host(), Ask.of(script, json), Duration.between(Instant.now(), call.deadline()));
        return answer.failed() ? new ToolOutput.Failed(answer.text()) : new ToolOutput.Text(answer.text());
    }

    @Override
    public void close() {
        sandbox.close();
    }
}
