package dev.parley.agents.model.chat;

import dev.parley.agents.model.OfficialKits;
import dev.parley.agents.model.wire.VerbatimJson;
import dev.parley.platform.testkit.HttpDouble;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Refuses what the real servers refuse: unknown parameters, calls without results, lost signatures and reasoning. */
final class StrictChat {
    private static final Set<String> PARAMETERS = Set.of(
            "model",
            "messages",
            "tools",
            "tool_choice",
            "parallel_tool_calls",
            "stream",
            "stream_options",
            "max_completion_tokens",
            "max_tokens",
            "temperature",
            "top_p",
            "stop",
            "reasoning_effort",
            "reasoning",
            "verbosity",
            "response_format",
            "prompt_cache_key",
            "service_tier");

    private final ServerQuirks.Server server;
    /** What calls were made with, by id: it must come back with them. */
    private final Map<String, List<String>> signatures = new HashMap<>();

    StrictChat(ServerQuirks.Server server) {
        this.server = server;
    }

    /** From now on this call must come with this text in it. */
    StrictChat signed(String id, String text) {
        signatures.computeIfAbsent(id, _ -> new ArrayList<>()).add(text);
        return this;
    }

    /** Gives the reply to a request without faults, and says what is wrong with any other. */
    HttpDouble.Reply reply(HttpDouble http, HttpDouble.Reply good) {
        return exchange -> {
            List<String> faults = faults(http.lastBody());
            HttpDouble.Reply reply = faults.isEmpty()
                    ? good
                    : HttpDouble.json(400, "{\"error\":{\"message\":\"" + String.join("; ", faults) + "\"}}");
            reply.write(exchange);
        };
    }

    /** What a real server would refuse a body for; empty where it takes it. */
    List<String> faults(String body) throws IOException {
        var faults = new ArrayList<String>();
        VerbatimJson request = VerbatimJson.parse(body);
        if (server == ServerQuirks.Server.OPENAI) {
            OfficialKits.chat(body);
        }
        for (String name : request.members().keySet()) {
            if (!PARAMETERS.contains(name)) {
                faults.add("unknown parameter " + name);
            }
        }
        if (request.at("tool_choice").isPresent()
                && (server == ServerQuirks.Server.OLLAMA || !request.at("tools").isPresent())) {
            faults.add("tool_choice without tools, or not known");
        }
        List<VerbatimJson> messages = request.at("messages").items();
        List<String> open = List.of();
        for (int i = 0; i < messages.size(); i++) {
            VerbatimJson message = messages.get(i);
            String role = message.at("role").string();
            if (role.equals("tool")) {
                if (open.isEmpty()
                        || !open.getFirst().equals(message.at("tool_call_id").string())) {
                    faults.add("a result where none is expected: " + message);
                } else {
                    open = open.subList(1, open.size());
                }
                if (!message.at("content").isString()) {
                    faults.add("a result without content");
                }
                continue;
            }
            if (!open.isEmpty()) {
                faults.add("calls without results: " + open);
            }
            open = List.of();
            switch (role) {
                case "system", "developer" -> {
                    if (i > 0 || message.at("content").string().isBlank()) {
                        faults.add("a task that is empty or not at the beginning");
                    }
                }
                case "user" -> {
                    if (message.at("content").string().isBlank()
                            && message.at("content").items().isEmpty()) {
                        faults.add("an empty message");
                    }
                }
                case "assistant" -> open = assistant(message, faults);
                default -> faults.add("role " + role);
            }
        }
        if (!open.isEmpty()) {
            faults.add("calls without results at the end");
        }
        return faults;
    }

    private List<String> assistant(VerbatimJson message, List<String> faults) {
        List<VerbatimJson> calls = message.at("tool_calls").items();
        if (message.at("tool_calls").isPresent() && calls.isEmpty()) {
            faults.add("an empty list of calls");
        }
        if (!message.at("content").isPresent() && calls.isEmpty()) {
            faults.add("no content and no calls");
        }
        if (message.at("content").isPresent() && message.at("content").string().isBlank()) {
            faults.add("blank content");
        }
        if (server == ServerQuirks.Server.DEEPSEEK
                && !message.at("reasoning_content").isPresent()) {
            faults.add("the reasoning_content must be passed back");
        }
        var ids = new ArrayList<String>();
        for (VerbatimJson call : calls) {
            String id = call.at("id").string();
            ids.add(id);
            if (id.isEmpty() || (server == ServerQuirks.Server.OPENAI && id.length() > 40)) {
                faults.add("an id that is empty or too long");
            }
            if (!call.at("type").string().equals("function") || call.at("index").isPresent()) {
                faults.add("no function, or with an index");
            }
            String name = call.at("function", "name").string();
            if (name.isEmpty() || (server == ServerQuirks.Server.OPENAI && !name.matches("[A-Za-z0-9_-]{1,64}"))) {
                faults.add("a name that no function has");
            }
            if (server.readsArguments()
                    && !isObject(call.at("function", "arguments").string())) {
                faults.add("invalid tool call arguments");
            }
            if (!signatures.getOrDefault(id, List.of()).stream().allMatch(call.text()::contains)) {
                faults.add("the call has lost its signature");
            }
        }
        if (server == ServerQuirks.Server.GEMINI
                && !calls.isEmpty()
                && !calls.getFirst()
                        .at("extra_content", "google", "thought_signature")
                        .isPresent()) {
            faults.add("the function call is missing a thought_signature");
        }
        if (new HashSet<>(ids).size() < ids.size()) {
            faults.add("an id twice");
        }
        return ids;
    }

    private static boolean isObject(String text) {
        try {
            return VerbatimJson.parse(text).text().startsWith("{");
        } catch (IOException e) {
            return false;
        }
    }
}
