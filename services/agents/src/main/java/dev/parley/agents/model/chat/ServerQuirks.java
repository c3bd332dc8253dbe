package dev.parley.agents.model.chat;

import dev.parley.agents.model.wire.ProviderOptions;
import dev.parley.platform.config.ProviderConfig;
import java.util.Locale;
import java.util.Set;

/**
 * The deviations of a server from the Chat Completions API.
 *
 * @param maxTokensField the name of the member for the maximum tokens of an answer
 * @param replayReasoning the reasoning that is sent back
 * @param streamUsage whether usage is requested at the end of a stream
 * @param developerRole whether the prompt has the role developer instead of system
 */
record ServerQuirks(
        Server server, String maxTokensField, Replay replayReasoning, boolean streamUsage, boolean developerRole) {

    /** The known servers. */
    enum Server {
        OPENAI,
        OLLAMA,
        VLLM,
        OPENROUTER,
        GEMINI,
        DEEPSEEK,
        OTHER;

        /** Whether the server supports {@code tool_choice}. */
        boolean knowsToolChoice() {
            return this != OLLAMA;
        }

        /** Whether the server parses the arguments of earlier calls, and rejects those that are not an object. */
        boolean readsArguments() {
            return this != OPENAI && this != OPENROUTER && this != DEEPSEEK;
        }

        boolean knowsParallelToolCalls() {
            return this == OPENAI || this == OPENROUTER || this == VLLM;
        }

        boolean takesPdf() {
            return this == OPENAI || this == OPENROUTER;
        }

        boolean takesGif() {
            return this != OLLAMA;
        }

        /** Whether the server supports a response schema, and not only JSON in general. */
        boolean knowsSchemas() {
            return this != DEEPSEEK;
        }

        /** Whether the server reports the cost of a call, in dollars. */
        boolean tellsCost() {
            return this == OPENROUTER;
        }

        /** Whether unknown members of its messages are sent back; strict servers reject unknown members. */
        boolean takesUnknownMembers() {
            return this != OTHER;
        }

        private static Server at(ProviderConfig config) {
            String host = config.baseUrl().getHost();
            String name = host == null ? "" : host.toLowerCase(Locale.ROOT);
            if (name.equals("api.openai.com") || name.endsWith(".openai.azure.com")) {
                return OPENAI;
            }
            if (name.equals("openrouter.ai") || name.endsWith(".openrouter.ai")) {
                return OPENROUTER;
            }
            if (name.equals("generativelanguage.googleapis.com") || name.endsWith("aiplatform.googleapis.com")) {
                return GEMINI;
            }
            if (name.equals("api.deepseek.com")) {
                return DEEPSEEK;
            }
            if (config.baseUrl().getPort() == 11434 || name.contains("ollama")) {
                return OLLAMA;
            }
            return name.contains("vllm") ? VLLM : OTHER;
        }

        private Replay replay() {
            return switch (this) {
                // They return none or expect it within the calls; some unknown servers reject it.
                case OPENAI, GEMINI, OTHER -> Replay.NEVER;
                case OLLAMA, VLLM, OPENROUTER -> Replay.TOOLS;
                case DEEPSEEK -> Replay.ALWAYS;
            };
        }
    }

    /** The reasoning that is sent back. */
    enum Replay {
        ALWAYS,
        /** The reasoning of turns in which tools were called. */
        TOOLS,
        NEVER
    }

    /**
     * The quirks by the server's address, overridden by the provider's options.
     *
     * @throws IllegalArgumentException naming the valid options or values
     */
    static ServerQuirks of(ProviderConfig config) {
        var options = ProviderOptions.of(
                config, Set.of("server", "maxTokensField", "replayReasoning", "streamUsage", "developerRole"));
        Server server = options.choice("server", Server.at(config));
        return new ServerQuirks(
                server,
                options.text("maxTokensField", server == Server.OPENAI ? "max_completion_tokens" : "max_tokens"),
                options.choice("replayReasoning", server.replay()),
                options.either("streamUsage", "true", "false", true),
                options.either("developerRole", "true", "false", false));
    }
}
