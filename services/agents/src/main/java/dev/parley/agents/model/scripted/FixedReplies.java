package dev.parley.agents.model.scripted;

import dev.parley.agents.model.scripted.ScriptDirective.Call;
import dev.parley.agents.model.scripted.ScriptedConversation.Answered;
import dev.parley.agents.model.wire.JsonOut;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The answers of the scripted model to messages without directives. */
final class FixedReplies {
    private static final Pattern TIME = Pattern.compile("\\bwhat(?:'s| is) the time\\b|\\bwhat time is it\\b");
    private static final Pattern ECHO = Pattern.compile("(?i)echo\\s+(.+)", Pattern.DOTALL);
    private static final Pattern ASKED = Pattern.compile("\\b(?:what(?:'s| is)|who is) my ([a-z][a-z ]{0,30}?)\\s*\\?");
    private static final Pattern TOLD = Pattern.compile("\\bmy ([a-z][a-z ]{0,30}?) is \\S");
    private static final Pattern GREETING = Pattern.compile("(?:hi|hello|hey|good (?:morning|evening))\\b.{0,20}");
    private static final int MAX_QUOTE = 1_000;

    private static final String INTRODUCTION =
            "I am Parley's scripted model. I am no language model: I answer by fixed rules, always the same, offline."
                    + " Say help for what I can do. ";

    static final String HELP = """
            I am Parley's scripted model, not a language model. I quote what I hear, count the turns, and remember sentences \
            such as "my name is Ada". I use the tools that I am offered: "what time is it", "echo some text".
            Lines that begin with ! are directives:
              !say TEXT                              says it (\\n is a new line)
              !think TEXT                            reasons before it goes on
              !call TOOL {json}                      calls a tool; several lines are calls at the same time
              !delegate AGENT TASK                   asks another agent
              !then                                  what follows is the next step, after the tools have answered
              !loop TOOL {json}                      calls it in every step, until tools are no longer offered ($n: the step)
              !delay 2s                              waits
              !stream 60s | !stream 200 words over 10s
              !fail CATEGORY [times N] [retry-after 1s]   fails (rate_limit, server, timeout, auth, ...)
              !finish length|content-filter|error    ends with this reason
              !usage in=1 out=2 reasoning=0 cacheRead=0 cost=0.001
              !raw {json}                            an item of a kind that nobody knows
              !empty                                 says nothing""";

    private FixedReplies() {}

    /** The tool call that a sentence requests, if the tool is offered. */
    static Optional<Call> wish(String message, ScriptedConversation conversation) {
        Matcher echo = ECHO.matcher(message.strip());
        if (echo.matches() && conversation.offers("echo")) {
            return Optional.of(new Call("echo", JsonOut.object(o -> o.put("text", echo.group(1)))));
        }
        boolean time = TIME.matcher(message.toLowerCase(Locale.ROOT)).find() && conversation.offers("time");
        return time ? Optional.of(new Call("time", "{}")) : Optional.empty();
    }

    /** An answer to a message. */
    static String reply(String message, ScriptedConversation conversation) {
        if (message.strip().equalsIgnoreCase("help") || message.strip().equals("/help")) {
            return HELP;
        }
        return introduction(conversation) + answer(message, conversation);
    }

    /** The introduction for the first answer of a session; else empty. */
    static String introduction(ScriptedConversation conversation) {
        return conversation.firstContact() ? INTRODUCTION : "";
    }

    private static String answer(String message, ScriptedConversation conversation) {
        String normalized = message.toLowerCase(Locale.ROOT).strip();
        Map<String, String> facts = conversation.facts();
        Matcher question = ASKED.matcher(normalized);
        if (question.find()) {
            String subject = question.group(1);
            String fact = facts.get(subject);
            return fact == null
                    ? "You have not told me your " + subject + "."
                    : "Your " + subject + " is " + fact + ".";
        }
        Matcher statement = TOLD.matcher(normalized);
        if (statement.find() && facts.containsKey(statement.group(1))) {
            return "I will remember that your " + statement.group(1) + " is " + facts.get(statement.group(1)) + ".";
        }
        String name = facts.containsKey("name") ? ", " + facts.get("name") : "";
        if (GREETING.matcher(normalized).matches()) {
            return "Hello" + name + "! This is turn " + conversation.turns() + ".";
        }
        return "You said: \"" + quote(message.strip()) + "\". This is turn " + conversation.turns() + name + ".";
    }

    /** The results of tool calls, one sentence each. */
    static String results(List<Answered> results) {
        return results.stream()
                .map(result -> "The tool " + result.tool() + (result.isError() ? " failed: " : " answered: ")
                        + quote(result.content()))
                .collect(Collectors.joining("\n"));
    }

    /** The summary of the messages so far: their number, the stated facts, and the last one. */
    static String summary(ScriptedConversation conversation) {
        String facts = conversation.facts().entrySet().stream()
                .map(fact -> " my " + fact.getKey() + " is " + fact.getValue() + ";")
                .collect(Collectors.joining());
        String statedFacts = facts.isEmpty() ? "" : " The person told:" + facts;
        String last = conversation.message().lines().findFirst().orElse("");
        return "Summary of " + conversation.turns() + " turns:" + statedFacts + " last message: \"" + quote(last)
                + "\"";
    }

    private static String quote(String text) {
        return text.length() <= MAX_QUOTE
                ? text
                : text.substring(0, text.offsetByCodePoints(0, text.codePointCount(0, MAX_QUOTE))) + "…";
    }
}
