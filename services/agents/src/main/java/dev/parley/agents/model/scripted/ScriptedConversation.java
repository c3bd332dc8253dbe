package dev.parley.agents.model.scripted;

import dev.parley.agents.model.ModelFailure;
import dev.parley.domain.content.Block;
import dev.parley.domain.content.Message;
import dev.parley.domain.content.Role;
import dev.parley.domain.definition.ToolChoice;
import dev.parley.domain.definition.ToolSpec;
import dev.parley.domain.protocol.ErrorCategory;
import dev.parley.domain.protocol.ModelRequest;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The scripted model's view of a request: all its state is in the messages. */
final class ScriptedConversation {
    private static final Pattern FACT =
            Pattern.compile("\\bmy ([a-z][a-z ]{0,30}?) is ([^.!?\\n,;\"]{1,80})", Pattern.CASE_INSENSITIVE);
    private static final Pattern SUMMARY = Pattern.compile("Summary of (\\d{1,9}) turns");

    private final ModelRequest request;
    private final List<Message> messages;
    private final int lastUser;

    ScriptedConversation(ModelRequest request) {
        this.request = request;
        this.messages = request.messages();
        int last = messages.size() - 1;
        while (last >= 0 && messages.get(last).role() != Role.USER) {
            last--;
        }
        lastUser = last;
    }

    /** The user's last message. */
    String message() {
        return lastUser < 0 ? "" : messages.get(lastUser).text();
    }

    /** The number of the model's messages since then. */
    int step() {
        return (int) current().stream()
                .filter(message -> message.role() == Role.ASSISTANT)
                .count();
    }

    private List<Message> current() {
        return messages.subList(lastUser + 1, messages.size());
    }

    /** Whether the model has no message before this turn. */
    boolean firstContact() {
        return request.summary() == null
                && messages.subList(0, Math.max(lastUser, 0)).stream()
                        .noneMatch(message -> message.role() == Role.ASSISTANT);
    }

    /** The number of the user's messages, including those in the summary. */
    int turns() {
        Matcher matcher = SUMMARY.matcher(summary());
        int before = matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
        return before
                + (int) messages.stream()
                        .filter(message -> message.role() == Role.USER)
                        .count();
    }

    private String summary() {
        String summary = request.summary();
        return summary == null ? "" : summary;
    }

    /** Facts that the user has stated, newest last: {@code name} is {@code Ada}. */
    Map<String, String> facts() {
        var facts = new LinkedHashMap<String, String>();
        collect(summary(), facts);
        collect(request.memory() == null ? "" : request.memory(), facts);
        messages.stream()
                .filter(message -> message.role() == Role.USER)
                .flatMap(message -> message.text().lines())
                .filter(line -> !line.startsWith("!"))
                .forEach(line -> collect(line, facts));
        return facts;
    }

    private static void collect(String text, Map<String, String> facts) {
        for (Matcher matcher = FACT.matcher(text); matcher.find(); ) {
            facts.put(
                    matcher.group(1).toLowerCase(Locale.ROOT).strip(),
                    matcher.group(2).strip());
        }
    }

    /** Whether the model may call this tool. */
    boolean offers(String tool) {
        return request.toolsAllowed()
                && request.tools().stream().map(ToolSpec::name).anyMatch(tool::equals);
    }

    /** The tool that the tool choice forces; empty if the model may choose. */
    Optional<String> mustCall() {
        return switch (request.toolChoice()) {
            case ToolChoice.Auto _, ToolChoice.None _ -> Optional.empty();
            case ToolChoice.Required _ ->
                request.tools().stream().map(ToolSpec::name).reduce((_, last) -> last);
            case ToolChoice.Named named -> Optional.of(named.tool());
        };
    }

    boolean offersTools() {
        return request.toolsAllowed() && !request.tools().isEmpty();
    }

    /** The results of the last calls, in the order of the calls. */
    List<Answered> results() {
        var calls = new HashMap<String, String>();
        int last = lastUser + 1;
        for (int i = last; i < messages.size(); i++) {
            if (messages.get(i).role() == Role.ASSISTANT) {
                Message.toolCalls(messages.get(i).blocks()).forEach(call -> calls.put(call.id(), call.name()));
                last = i;
            }
        }
        return messages.subList(Math.min(last, messages.size()), messages.size()).stream()
                .flatMap(message -> message.blocks().stream())
                .filter(Block.ToolResult.class::isInstance)
                .map(Block.ToolResult.class::cast)
                .map(result ->
                        new Answered(calls.getOrDefault(result.toolCallId(), "?"), result.content(), result.isError()))
                .toList();
    }

    /** A tool and its result. */
    record Answered(String tool, String content, boolean isError) {}

    /**
     * Rejects what real providers reject: a call without a result, a result without a call, reasoning that was changed
     * after it was signed.
     */
    void check() throws ModelFailure {
        Set<String> open = new LinkedHashSet<>();
        for (Message message : messages) {
            if (message.role() != Role.TOOL && !open.isEmpty()) {
                break;
            }
            for (Block block : message.blocks()) {
                switch (block) {
                    case Block.ToolCall call -> open.add(call.id());
                    case Block.ToolResult result ->
                        require(
                                open.remove(result.toolCallId()),
                                "tool result '" + result.toolCallId() + "' has no call");
                    case Block.Thinking thinking ->
                        require(isOwn(message, thinking), "reasoning was changed after it was signed");
                    case Block.Text _, Block.RedactedThinking _, Block.File _, Block.Raw _ -> {}
                }
            }
        }
        require(open.isEmpty(), "tool calls without a result: " + open.stream().collect(Collectors.joining(", ")));
    }

    private static boolean isOwn(Message message, Block.Thinking thinking) {
        return !ScriptedProvider.NAME.equals(message.provider())
                || ScriptedProvider.signature(thinking.text()).equals(thinking.signature());
    }

    private static void require(boolean holds, String problem) throws ModelFailure {
        if (!holds) {
            throw new ModelFailure(ErrorCategory.INVALID_REQUEST, problem);
        }
    }

    /** The approximate number of tokens of the request. */
    long tokens() {
        long characters = (long) request.agent().prompt().length() + summary().length();
        characters += messages.stream().mapToLong(Message::weight).sum();
        characters += request.tools().stream()
                .mapToLong(tool -> tool.name().length()
                        + tool.description().length()
                        + tool.parameters().length())
                .sum();
        return ScriptedProvider.tokens(characters);
    }
}
