package dev.parley.tools.script;

import dev.parley.tools.ToolCallContext;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.kind.Fields;
import dev.parley.tools.kind.ToolKind;
import dev.parley.tools.sandbox.Sandbox;
import dev.parley.tools.sandbox.child.Language;
import dev.parley.tools.sandbox.child.Message.Answer;
import dev.parley.tools.sandbox.child.Message.Ask;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Tools that are scripts: {@code {"script": "return args.a + args.b"}}. What a script can do, it does to nobody: it may be run
 * again.
 */
public final class ScriptKind implements ToolKind {
    /** Most characters of a script. */
    static final int LONGEST = 100_000;

    /** Its processes are three times as large and take seconds to start, so there are fewer of them. */
    private static final Sandbox.Limits PYTHON = new Sandbox.Limits(512, Duration.ofSeconds(30), 3, 1);

    private static final int LARGEST_ARGUMENTS = 1 << 20;

    private final Language language;
    private final boolean here;
    private final Sandbox sandbox;

    private ScriptKind(Language language, boolean here, Sandbox sandbox) {
        this.language = language;
        this.here = here;
        this.sandbox = sandbox;
    }

    /** Scripts in JavaScript. */
    public static ScriptKind javascript() {
        return javascript(Sandbox.Limits.DEFAULT);
    }

    static ScriptKind javascript(Sandbox.Limits limits) {
        return new ScriptKind(Language.JAVASCRIPT, true, new Sandbox(Language.JAVASCRIPT, limits));
    }

    /**
     * Scripts in Python.
     *
     * @param folder that the module {@code services/python} makes; where there is none, no tool can be carried out
     */
    public static ScriptKind python(@Nullable Path folder) {
        return python(folder, PYTHON);
    }

    static ScriptKind python(@Nullable Path folder, Sandbox.Limits limits) {
        boolean here = folder != null && Files.isDirectory(folder.resolve("lib"));
        return new ScriptKind(Language.PYTHON, here, new Sandbox(Language.PYTHON, folder, limits));
    }

    @Override
    public String name() {
        return language.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Runner runner(JsonNode implementation) {
        if (!here) {
            throw new IllegalArgumentException(
                    "there is no %s here: the operator sets PARLEY_PYTHON to the folder services/python/target/python of a build"
                            .formatted(name()));
        }
        String script = Fields.of(implementation, "script").text("script", LONGEST);
        return (call, arguments) -> run(script, call, arguments);
    }

    private ToolOutput run(String script, ToolCallContext call, JsonNode arguments) throws InterruptedException {
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
