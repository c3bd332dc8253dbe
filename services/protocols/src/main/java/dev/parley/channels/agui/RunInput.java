package dev.parley.channels.agui;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.channels.agui.RunMessage.Role;
import dev.parley.channels.protocols.ProtocolException;
import dev.parley.channels.protocols.ProtocolJson;
import dev.parley.channels.protocols.RequestFields;
import dev.parley.channels.web.CallerToolJson;
import dev.parley.domain.definition.CallerTools;
import dev.parley.domain.protocol.ApprovalAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Input of a run. Unknown members are ignored.
 *
 * @param threadId the session
 * @param messages the conversation so far, in order
 * @param context context of the application as text; empty for none
 * @param tools of the application, which carries out their calls
 * @param resume answers to approvals of an earlier run
 */
record RunInput(
        String threadId,
        String runId,
        List<RunMessage> messages,
        String context,
        List<CallerToolJson> tools,
        List<Resume> resume) {
    private static final int MAX_MESSAGES = 10_000;
    private static final int MAX_RESUMED = 200;
    private static final int MAX_ID = 512;

    RunInput {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
        resume = List.copyOf(resume);
    }

    /** An answer to a question. */
    record Resume(String interruptId, ApprovalAnswer answer) {}

    /**
     * Parses the input.
     *
     * @throws ProtocolException 400 with the invalid field
     */
    static RunInput read(RequestFields body) {
        var messages = new ArrayList<RunMessage>();
        for (RequestFields message : readObjects(body, "messages", MAX_MESSAGES)) {
            messages.add(RunMessage.read(message));
        }
        var resume = new ArrayList<Resume>();
        for (RequestFields entry : readObjects(body, "resume", MAX_RESUMED)) {
            resume.add(new Resume(entry.requireText("interruptId"), answer(entry)));
        }
        return new RunInput(id(body, "threadId"), id(body, "runId"), messages, context(body), tools(body), resume);
    }

    private static String id(RequestFields body, String name) {
        String id = body.requireText(name);
        if (id.length() > MAX_ID) {
            throw body.invalid(name, "a string of at most %d characters".formatted(MAX_ID));
        }
        return id;
    }

    private static List<RequestFields> readObjects(RequestFields body, String name, int limit) {
        List<RequestFields> objects = body.objects(name);
        if (objects.size() > limit) {
            throw ProtocolException.invalid(name, "'%s' has at most %,d items.".formatted(name, limit));
        }
        return objects;
    }

    private static String context(RequestFields body) {
        return body.objects("context").stream()
                .map(entry -> entry.requireText("description") + ": " + entry.requireText("value"))
                .collect(Collectors.joining("\n"));
    }

    private static List<CallerToolJson> tools(RequestFields body) {
        return readObjects(body, "tools", CallerTools.MAX_TOOLS).stream()
                .map(tool -> new CallerToolJson(
                        tool.requireText("name"),
                        tool.text("description"),
                        tool.has("parameters")
                                ? ProtocolJson.map(tool.object("parameters").json())
                                : null))
                .toList();
    }

    private static ApprovalAnswer answer(RequestFields entry) {
        return switch (entry.requireText("status")) {
            case "cancelled" -> ApprovalAnswer.REJECT;
            case "resolved" -> readResolved(entry);
            default -> throw entry.invalid("status", "resolved or cancelled");
        };
    }

    private static ApprovalAnswer readResolved(RequestFields entry) {
        JsonNode payload = entry.get("payload");
        if (payload.isBoolean()) {
            return payload.booleanValue() ? ApprovalAnswer.ONCE : ApprovalAnswer.REJECT;
        }
        RequestFields answer = entry.object("payload");
        if (!answer.has("approved")) {
            throw answer.invalid("approved", "a boolean");
        }
        if (answer.has("editedArgs")) {
            throw ProtocolException.unsupported(
                    answer.param("editedArgs"), "The arguments of a call cannot be changed: refuse it, and say why.");
        }
        if (!answer.flag("approved")) {
            return ApprovalAnswer.REJECT;
        }
        String scope = answer.has("scope") ? answer.requireText("scope") : ApprovalAnswer.ONCE.code();
        return ApprovalAnswer.ofPerson(scope)
                .filter(ApprovalAnswer::allows)
                .orElseThrow(() -> answer.invalid("scope", "once, session, project or host"));
    }

    /** The index of the last user message, which is answered; -1 for none. */
    int lastUserMessage() {
        for (int i = messages.size() - 1; i >= 0; i--) {
            if (messages.get(i).role() == Role.USER) {
                return i;
            }
        }
        return -1;
    }

    /** Whether the conversation ends with a user message after an answer of the agent. */
    boolean hasNewMessage() {
        return lastUserMessage() >= 0 && firstUnansweredIndex() > 0 && lastUserMessage() == messages.size() - 1;
    }

    /** The index of the first message after the agent's last one. */
    int firstUnansweredIndex() {
        int from = lastUserMessage();
        while (from > 0 && !isAgents(messages.get(from - 1))) {
            from--;
        }
        return from;
    }

    private static boolean isAgents(RunMessage message) {
        return message.role() == Role.AGENT || message.role() == Role.TOOL;
    }

    /** The ignored parts of the messages from here to the one that is answered. */
    List<String> skippedParts(int from) {
        return messages.subList(from, lastUserMessage() + 1).stream()
                .flatMap(message -> message.skipped().stream())
                .toList();
    }
}
