package dev.parley.workflows.process;

import dev.parley.workflows.json.Json;
import dev.parley.workflows.json.JsonText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An agent's reply as the output of a task: a JSON object or array if it is one, else the text. */
final class AgentReply {
    private static final Pattern FENCED = Pattern.compile("```[a-zA-Z]*\\s*\\n([\\s\\S]*?)\\n?```");

    private AgentReply() {}

    static Json of(String reply) {
        Matcher fenced = FENCED.matcher(reply.strip());
        Json parsed = JsonText.readOrText(fenced.matches() ? fenced.group(1) : reply);
        return parsed instanceof Json.Str ? Json.of(reply) : parsed;
    }
}
