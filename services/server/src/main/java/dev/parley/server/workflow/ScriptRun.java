package dev.parley.server.workflow;

import dev.parley.domain.workflow.WorkRequest;
import dev.parley.platform.json.JsonMappers;
import dev.parley.platform.worker.Cancellation;
import dev.parley.tools.ToolOutput;
import dev.parley.tools.kind.ToolKind;
import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import dev.parley.workflows.json.Values;
import dev.parley.workflows.work.CallException;
import dev.parley.workflows.work.CallExecutor;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * {@code run: script}: JavaScript or Python in the sandbox of agent tools, without files and network. A script gets
 * arguments, environment and standard input, and returns standard output, error output or exit code.
 */
@Singleton
@Requires(property = "parley.role.workflows", value = "true")
@Requires(property = "parley.role.tools", value = "true")
final class ScriptRun implements CallExecutor {
    private static final Map<String, String> LANGUAGES =
            Map.of("javascript", "javascript", "js", "javascript", "python", "python");
    private static final Pattern NAMED =
            Pattern.compile("(?m)^\\s*import\\s*\\{([^}]*)}\\s*from\\s*(['\"][^'\"]+['\"]);?");
    private static final Pattern WHOLE =
            Pattern.compile("(?m)^\\s*import\\s+(?:\\*\\s+as\\s+)?(\\w+)\\s+from\\s*(['\"][^'\"]+['\"]);?");
    /** The program of the sandbox, which runs the script with the globals of a command-line program. */
    private static final String JAVASCRIPT = resource("script.js");

    private static final String PYTHON = resource("script.py");

    private final List<ToolKind> kinds;

    ScriptRun(List<ToolKind> kinds) {
        this.kinds = kinds;
    }

    @Override
    public String function() {
        return "script";
    }

    @Override
    public Optional<Json> call(WorkRequest request, Json with, Cancellation cancellation)
            throws CallException, InterruptedException {
        String language = LANGUAGES.get(with.get("language").display());
        ToolKind kind = kinds.stream()
                .filter(candidate -> candidate.name().equals(language))
                .findFirst()
                .orElseThrow(() -> CallException.configuration("there is no sandbox for " + language + " here"));
        Json implementation =
                Json.of("script", Json.of(program(kind.name(), with.get("code").display())));
        Json arguments = arguments(with);
        try (var runner = kind.runner(JsonMappers.tree(implementation.toString()))) {
            ToolOutput output =
                    runner.run(McpCall.context(request, cancellation), JsonMappers.tree(arguments.toString()));
            return Optional.of(result(output, with.get("return").display()));
        } catch (IllegalArgumentException e) {
            throw CallException.configuration(String.valueOf(e.getMessage()));
        } catch (CallException | InterruptedException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw CallException.communication("the script could not be run: " + e.getMessage(), e);
        }
    }

    private static Json arguments(Json with) {
        Json stdin = with.get("stdin");
        return Json.of("arguments", texts(with.get("arguments")))
                .with("environment", with.get("environment").isNull() ? Values.EMPTY_OBJECT : with.get("environment"))
                .with("stdin", Json.of(stdin.isNull() ? "" : stdin.display()))
                .with("code", with.get("code"));
    }

    private static Json texts(Json arguments) {
        return Json.of(arguments.list().stream()
                .map(argument -> Json.of(argument.display()))
                .toList());
    }

    private static String program(String language, String code) {
        if (language.equals("python")) {
            return PYTHON; // the program receives the code as an argument
        }
        String body = NAMED.matcher(code)
                .replaceAll(found -> "const {" + found.group(1).replaceAll("\\bas\\b", ":") + "} = require("
                        + found.group(2) + ");");
        return JAVASCRIPT.replace("/* CODE */", WHOLE.matcher(body).replaceAll("const $1 = require($2);"));
    }

    private static String resource(String name) {
        try (InputStream text = Objects.requireNonNull(ScriptRun.class.getResourceAsStream(name), name)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Json result(ToolOutput output, String selection) throws CallException {
        if (output instanceof ToolOutput.Failed failed) {
            throw CallException.communication("the script failed: " + failed.why());
        }
        if (!(output instanceof ToolOutput.Text text)) {
            throw CallException.communication("the script returned no text");
        }
        return ProcessResult.of(JsonText.read(text.text()), selection, "the script");
    }
}
