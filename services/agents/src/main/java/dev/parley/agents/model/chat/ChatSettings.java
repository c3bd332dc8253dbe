package dev.parley.agents.model.chat;

import dev.parley.agents.model.chat.ServerQuirks.Server;
import dev.parley.agents.model.wire.AnswerOptions;
import dev.parley.agents.model.wire.JsonOut;
import dev.parley.agents.model.wire.OpenAiFamily;
import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ThinkingLevel;
import dev.parley.domain.definition.ToolChoice;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.ModelRequest;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The tools and generation parameters of a request, in the dialect of its server. */
final class ChatSettings {
    /** Models that accept tools here only with reasoning disabled, and reason by default. */
    private static final Pattern NO_REASONING_WITH_TOOLS = Pattern.compile("gpt-(5\\.[2-9]|[6-9]).*");

    private final ModelRequest request;
    private final Agent agent;
    private final ServerQuirks quirks;
    private final Server server;
    private final OpenAiFamily family;
    private final AnswerOptions options;

    ChatSettings(ModelRequest request, ServerQuirks quirks, AnswerOptions options) {
        this.request = request;
        this.agent = request.agent();
        this.quirks = quirks;
        this.server = quirks.server();
        this.family = server == Server.OPENAI ? OpenAiFamily.of(agent.model()) : OpenAiFamily.UNKNOWN;
        this.options = options;
    }

    /** Writes the tools, then the parameters. */
    void write(JsonOut o) {
        writeTools(o);
        writeSettings(o);
    }

    private void writeTools(JsonOut o) {
        boolean sendsTools = request.toolsAllowed() || server.knowsToolChoice();
        if (request.tools().isEmpty() || !sendsTools) {
            return;
        }
        o.putArray("tools", tools -> request.tools().forEach(tool -> writeFunction(tool, tools)));
        if (server.knowsToolChoice()) {
            writeToolChoice(request.toolChoice(), o);
        }
        String parallel = agent.options().get("parallelToolCalls");
        if (parallel != null && server.knowsParallelToolCalls() && family != OpenAiFamily.REASONS) {
            o.put("parallel_tool_calls", Boolean.valueOf(parallel));
        }
    }

    private static void writeToolChoice(ToolChoice choice, JsonOut o) {
        switch (choice) {
            case ToolChoice.Auto _ -> {}
            case ToolChoice.None _ -> o.put("tool_choice", "none");
            case ToolChoice.Required _ -> o.put("tool_choice", "required");
            case ToolChoice.Named named ->
                o.putObject(
                        "tool_choice",
                        c -> c.put("type", "function").putObject("function", f -> f.put("name", named.tool())));
        }
    }

    private static void writeFunction(ToolSpec tool, JsonOut tools) {
        tools.addObject(o -> o.put("type", "function")
                .putObject(
                        "function",
                        f -> f.put("name", tool.name())
                                .put("description", tool.description())
                                .putRaw("parameters", tool.parameters())));
    }

    private void writeSettings(JsonOut o) {
        String effort = effort();
        if (family.samples("none".equals(effort))) {
            o.put("temperature", agent.temperature()).put("top_p", agent.topP());
        }
        o.put(quirks.maxTokensField(), agent.maxTokens());
        if (!options.stops().isEmpty() && family != OpenAiFamily.REASONS) {
            o.putArray("stop", s -> options.stops().forEach(s::add));
        }
        writeReasoning(effort, o);
        writeFormat(o);
        if (server == Server.OPENAI || server == Server.OPENROUTER) {
            o.put("service_tier", agent.options().get("serviceTier"));
            o.put("verbosity", agent.options().get("verbosity"));
        }
        if (server == Server.OPENAI) {
            // Requests of one session share a prefix, which the provider's prompt cache can reuse.
            o.put("prompt_cache_key", request.sessionId().toString());
        }
    }

    private @Nullable String effort() {
        if (family == OpenAiFamily.TALKS) {
            return null;
        }
        boolean samples = agent.temperature() != null || agent.topP() != null;
        if (family != OpenAiFamily.UNKNOWN
                && !request.tools().isEmpty()
                && NO_REASONING_WITH_TOOLS.matcher(agent.model()).matches()) {
            return "none";
        }
        if (agent.thinking() == ThinkingLevel.NONE) {
            return family == OpenAiFamily.MAY_REFRAIN && samples ? "none" : null;
        }
        return agent.thinking().name().toLowerCase(Locale.ROOT);
    }

    private void writeReasoning(@Nullable String effort, JsonOut o) {
        if (server == Server.OPENROUTER && effort != null) {
            o.putObject("reasoning", r -> r.put("effort", effort));
        } else {
            o.put("reasoning_effort", effort);
        }
    }

    private void writeFormat(JsonOut o) {
        String schema = options.schema();
        if (schema == null) {
            return;
        }
        o.putObject("response_format", format -> {
            if (server.knowsSchemas()) {
                format.put("type", "json_schema")
                        .putObject(
                                "json_schema",
                                s -> s.put("name", "answer").put("strict", true).putRaw("schema", schema));
            } else {
                format.put("type", "json_object");
            }
        });
    }
}
