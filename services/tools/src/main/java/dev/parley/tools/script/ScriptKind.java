package dev.parley.tools.script;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.platform.definitions.CatalogueScope;
import dev.parley.tools.kind.DefinitionFields;
import dev.parley.tools.kind.ToolKind;
import dev.parley.tools.sandbox.Sandbox;
import dev.parley.tools.sandbox.child.SandboxMessage.Request;
import dev.parley.tools.sandbox.child.ScriptLanguage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Tools that are scripts: {@code {"script": "return args.a + args.b"}}. Scripts have no side effects, so that calls are
 * repeatable.
 */
public final class ScriptKind implements ToolKind {
    /** Maximum characters of a script. */
    static final int MAX_SCRIPT = 100_000;

    /** Fewer processes than by default: they are three times as large and take seconds to start. */
    private static final Sandbox.Limits PYTHON = new Sandbox.Limits(512, Duration.ofSeconds(30), 3, 1);

    private final ScriptLanguage language;
    private final boolean available;
    private final Sandbox sandbox;

    private ScriptKind(ScriptLanguage language, boolean available, Sandbox sandbox) {
        this.language = language;
        this.available = available;
        this.sandbox = sandbox;
    }

    /** Scripts in JavaScript. */
    public static ScriptKind javascript() {
        return javascript(Sandbox.Limits.DEFAULT);
    }

    static ScriptKind javascript(Sandbox.Limits limits) {
        return new ScriptKind(ScriptLanguage.JAVASCRIPT, true, new Sandbox(ScriptLanguage.JAVASCRIPT, limits));
    }

    /**
     * Scripts in Python.
     *
     * @param folder the output of the module {@code services/python}; without it no tool can be executed
     */
    public static ScriptKind python(@Nullable Path folder) {
        return python(folder, PYTHON);
    }

    static ScriptKind python(@Nullable Path folder, Sandbox.Limits limits) {
        boolean available = folder != null && Files.isDirectory(folder.resolve("lib"));
        return new ScriptKind(ScriptLanguage.PYTHON, available, new Sandbox(ScriptLanguage.PYTHON, folder, limits));
    }

    @Override
    public String name() {
        return language.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public Runner runner(JsonNode implementation, CatalogueScope scope) {
        if (!available) {
            throw new IllegalArgumentException(
                    "%s is not available here: the operator can set PARLEY_PYTHON to the folder services/python/target/python of a build"
                            .formatted(name()));
        }
        String script = DefinitionFields.of(implementation, "script").text("script", MAX_SCRIPT);
        return (call, arguments) -> sandbox.output(call, Request.of(script, arguments.toString()));
    }

    @Override
    public void close() {
        sandbox.close();
    }
}
