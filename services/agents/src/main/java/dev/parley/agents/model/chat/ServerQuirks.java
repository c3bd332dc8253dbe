package dev.parley.agents.model.chat;

import dev.parley.agents.model.wire.ProviderOptions;
import dev.parley.platform.config.ProviderConfig;
import java.util.Locale;
import java.util.Set;

/**
 * What a server takes differently from the others.
 *
 * @param maxTokensField what the most tokens of an answer are called
 * @param replayReasoning which reasoning it is sent back
 * @param streamUsage whether it is asked to count tokens at the end of a stream
 * @param developerRole whether it is told its task as a developer instead of the system
 */
record ServerQuirks(
        Server server, String maxTokensField, Replay replayReasoning, boolean streamUsage, boolean developerRole) {

    /** The servers that are known. */
    enum Server {
        OPENAI,
        OLLAMA,
        VLLM,
        OPENROUTER,
        GEMINI,
        DEEPSEEK,
        OTHER;

        /** Whether it can be told not to call the tools that it is shown. */
        boolean knowsToolChoice() {
            return this != OLLAMA;
        }

        /** Whether it reads the arguments of earlier calls, and refuses those that are no object. */
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

        /** Whether an answer can be held to a schema, and not only to be JSON. */
        boolean knowsSchemas() {
            return this != DEEPSEEK;
        }

        /** Whether it says what a call has cost, in dollars. */
        boolean tellsCost() {
            return this == OPENROUTER;
        }

        /** Whether members of its messages that nobody here knows may go back. Strict servers refuse what they do not read. */
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
                // They show none, or want it back with the calls; of the others, some refuse it.
                case OPENAI, GEMINI, OTHER -> Replay.NEVER;
                case OLLAMA, VLLM, OPENROUTER -> Replay.TOOLS;
                case DEEPSEEK -> Replay.ALWAYS;
            };
        }
    }

    /** Which reasoning goes back. */
    enum Replay {
        ALWAYS,
        /** That of turns in which tools were called. */
        TOOLS,
        NEVER
    }

    /** What is known of a server by its address and what the operator set. @throws IllegalArgumentException naming what may be set */
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
