package dev.parley.server.chat;

import dev.parley.server.chat.ChatClient.Event;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;

/** Shows the events of a turn, with colours or as plain text. */
final class ChatScreen {
    private static final int MAX_LENGTH = 200;
    private static final String DIM = "\u001b[2m";
    private static final String RED = "\u001b[31m";
    private static final String OFF = "\u001b[0m";

    private final PrintWriter out;
    private final boolean colours;
    private final boolean json;
    /** Arguments of pending tool calls, by id. */
    private final Map<String, String> calls = new HashMap<>();

    private final StringBuilder step = new StringBuilder();
    private boolean lineOpen;
    private boolean reasoning;

    /** @param json whether to print events as lines of JSON */
    ChatScreen(PrintWriter out, boolean colours, boolean json) {
        this.out = out;
        this.colours = colours;
        this.json = json;
    }

    /** Begins a turn. */
    void begin() {
        step.setLength(0);
        calls.clear();
        lineOpen = false;
        reasoning = false;
    }

    /** Shows an event. */
    void show(Event event) {
        if (json) {
            out.println("{\"event\":\"" + event.name() + "\",\"data\":" + event.data() + "}");
            out.flush();
            return;
        }
        switch (event.name()) {
            case "token" -> token(event.text("text"));
            case "reasoning" -> reason(event.text("text"));
            case "tool_call" -> calls.put(event.text("callId"), event.text("text"));
            case "tool_result" -> result(event);
            case "message" -> line(event.text("text"));
            case "progress" -> progress(event.text("text"));
            case "approval" -> note(event.text("text"));
            case "retry" -> again();
            case "done" -> onDone(event);
            case "error" -> error(event.text("text").isEmpty() ? "The turn failed." : event.text("text"));
            default -> {} // an event of a newer server
        }
        out.flush();
    }

    private void token(String text) {
        endReasoning();
        step.append(text);
        out.print(safe(text));
        lineOpen = lineOpen ? !text.endsWith("\n") || text.isEmpty() : !text.isEmpty() && !text.endsWith("\n");
    }

    private void reason(String text) {
        if (!reasoning) {
            endLine();
            out.print(colours ? DIM : "");
        }
        reasoning = true;
        lineOpen = true;
        out.print(safe(text));
    }

    private void endReasoning() {
        if (reasoning) {
            out.print(colours ? OFF : "");
            reasoning = false;
            endLine();
        }
    }

    private void result(Event event) {
        String arguments = calls.getOrDefault(event.text("callId"), "");
        note("⚙ %s %s → %s".formatted(event.text("tool"), shorten(arguments), shorten(event.text("text"))));
        step.setLength(0);
    }

    /** The active item of the agent's to-do list, or empty. */
    private void progress(String text) {
        if (!text.isEmpty()) {
            note(text);
        }
    }

    private void again() {
        if (!step.isEmpty()) {
            note("… once more");
            step.setLength(0);
        }
    }

    private void onDone(Event event) {
        String reply = event.text("text");
        endReasoning();
        if (!reply.isEmpty() && !step.toString().strip().endsWith(reply.strip())) {
            endLine();
            out.print(safe(reply));
            lineOpen = true;
        }
        if (event.text("state").equals("CANCELLED")) {
            note("(stopped)");
        }
        endLine();
    }

    /** Prints a note. */
    void note(String text) {
        endReasoning();
        endLine();
        out.println(colours ? DIM + safe(text) + OFF : safe(text));
        out.flush();
    }

    /** Prints an error. */
    void error(String text) {
        endReasoning();
        endLine();
        out.println(colours ? RED + safe(text) + OFF : safe(text));
        out.flush();
    }

    /** A line of text. */
    void line(String text) {
        endReasoning();
        endLine();
        out.println(safe(text));
        out.flush();
    }

    private void endLine() {
        if (lineOpen) {
            out.println();
            lineOpen = false;
        }
    }

    private static String shorten(String text) {
        String line = text.replaceAll("\\s+", " ").strip();
        return line.length() > MAX_LENGTH ? line.substring(0, MAX_LENGTH) + "…" : line;
    }

    /** Removes control characters, so that text from others cannot control the terminal. */
    static String safe(String text) {
        return text.codePoints()
                .filter(c -> c == '\n' || c == '\t' || !Character.isISOControl(c))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
