package dev.parley.server.chat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.parley.server.client.CommandException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;
import org.jspecify.annotations.Nullable;

/** The read loop of the chat: submits lines as messages, and runs those that begin with a slash as commands. */
final class ChatLoop {
    private static final String HELP = """
        /new            a new session under the same key; the old one is archived
        /clear          clears the agent's context; you still see the messages
        /forget         erases all that the agent remembers of you (/forget everything)
        /undo           undoes the last exchange: the agent no longer knows it
        /revert         undoes the last exchange and its changes to files; repeat for the one before
        /unrevert       restores what was reverted, unless you have sent a message since
        /stop [REASON]  cancels the running turn (so does Ctrl-C)
        /history        the messages of this session
        /sessions       all sessions
        /session KEY    switches to another session
        /agents         the available agents
        /agent NAME     switches to another agent
        /retry          sends the last message again
        /quit           leaves (so does Ctrl-D)
        A line that ends with \\ continues on the next one.\
        """;

    private final @Nullable Terminal terminal;
    private final Lines lines;
    private final ChatClient client;
    private final ChatSession conversation;
    private final ChatScreen screen;
    private String lastMessage = "";
    /** Whether Ctrl-C was the last input: a second one leaves. */
    private boolean interrupted;

    private ChatLoop(
            @Nullable Terminal terminal, Lines lines, ChatScreen screen, ChatClient client, ChatSession conversation) {
        this.terminal = terminal;
        this.lines = lines;
        this.screen = screen;
        this.client = client;
        this.conversation = conversation;
    }

    /** The source of lines. */
    @FunctionalInterface
    private interface Lines {
        /**
         * The next line; null at the end of the input.
         *
         * @throws UserInterruptException on Ctrl-C
         */
        @Nullable
        String next(String prompt) throws IOException;
    }

    /** On a terminal, with an input history. */
    static ChatLoop interactive(
            Terminal terminal, ChatClient client, ChatSession conversation, Path history, boolean json) {
        LineReader reader = LineReaderBuilder.builder()
                .terminal(terminal)
                .appName("parley")
                .completer(new StringsCompleter(commands()))
                .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                .variable(LineReader.HISTORY_SIZE, 1_000)
                .variable(LineReader.HISTORY_FILE, history)
                .build();
        Lines lines = prompt -> {
            try {
                return reader.readLine(prompt);
            } catch (EndOfFileException e) {
                return null;
            }
        };
        return new ChatLoop(terminal, lines, new ChatScreen(terminal.writer(), true, json), client, conversation);
    }

    private static List<String> commands() {
        Stream<String> listed =
                HELP.lines().filter(line -> line.startsWith("/")).map(line -> line.split(" ")[0]);
        return Stream.concat(Stream.of("/help"), listed).toList();
    }

    /** From a pipe: each line is a message; replies are plain text. */
    static ChatLoop ofPipe(
            BufferedReader in, PrintWriter out, ChatClient client, ChatSession conversation, boolean json) {
        return new ChatLoop(null, prompt -> in.readLine(), new ChatScreen(out, false, json), client, conversation);
    }

    int run() throws InterruptedException, IOException {
        greet();
        while (true) {
            try {
                String line = line();
                if (line == null || !process(line)) {
                    return 0;
                }
            } catch (UserInterruptException | EndOfFileException e) {
                if (interrupted || e instanceof EndOfFileException) {
                    return 0;
                }
                interrupted = true;
                screen.note("Press Ctrl-C again, or type /quit, to leave.");
            } catch (CommandException e) {
                screen.error(e.getMessage());
                if (terminal == null || e.status() == 401) {
                    return 1;
                }
            }
        }
    }

    private void greet() {
        if (terminal != null) {
            screen.note("Session %s at %s. /help lists the commands.".formatted(conversation.session(), client.url()));
        }
    }

    private @Nullable String line() throws IOException {
        String first = lines.next("› ");
        if (first == null) {
            return null;
        }
        var line = new StringBuilder(first);
        while (!line.isEmpty() && line.charAt(line.length() - 1) == '\\') {
            line.setCharAt(line.length() - 1, '\n');
            String continuation = lines.next("  ");
            line.append(continuation == null ? "" : continuation);
        }
        interrupted = false;
        return line.toString().strip();
    }

    /** @return false to leave the chat */
    private boolean process(String line) throws InterruptedException {
        if (line.isEmpty()) {
            return true;
        }
        if (!line.startsWith("/")) {
            send(line);
            return true;
        }
        int space = line.indexOf(' ');
        String name = space < 0 ? line : line.substring(0, space);
        String argument = space < 0 ? "" : line.substring(space).strip();
        if (name.equals("/quit") || name.equals("/exit")) {
            return false;
        }
        try {
            command(name, argument);
        } catch (IOException e) {
            throw client.unreachable(e);
        }
        return true;
    }

    private void command(String name, String argument) throws IOException, InterruptedException {
        switch (name) {
            case "/help" -> screen.line(HELP);
            case "/new" -> reset("new", "A new session.");
            case "/clear" -> reset("clear", "Forgotten.");
            case "/forget" -> forget(argument);
            case "/undo" -> {
                conversation.reset("undo");
                screen.note("Taken back: the last exchange is no longer known to the agent.");
            }
            case "/revert" -> showReverted(conversation.revert("revert"), "Taken back.");
            case "/unrevert" -> showReverted(conversation.revert("unrevert"), "Brought back.");
            case "/stop" -> stop(argument);
            case "/history" -> history();
            case "/sessions" -> sessions();
            case "/session" -> session(argument);
            case "/agents" -> agents();
            case "/agent" -> agent(argument);
            case "/retry" -> retry();
            default -> screen.error("There is no " + name + "; /help lists the commands.");
        }
    }

    private void forget(String argument) throws IOException, InterruptedException {
        if (argument.strip().equalsIgnoreCase("everything")) {
            reset("forget", "Forgotten: the agent no longer knows anything about you.");
        } else {
            screen.line(
                    "It would forget all that it remembers of you, also from other sessions, and what was said in this"
                            + " one. Nothing brings that back. /forget everything does it.");
        }
    }

    private void send(String text) throws InterruptedException {
        lastMessage = text;
        screen.begin();
        try (var interrupts = new InterruptHandler()) {
            conversation.send(text, event -> {
                interrupts.check();
                screen.show(event);
                if (event.name().equals("approval")) {
                    decide(event.text("callId"));
                }
            });
        }
    }

    /** Asks for approval of a tool call, until the answer is accepted; the end of input denies it. */
    private void decide(String approval) {
        try {
            while (!isDecided(approval, answer())) {
                // the question is still open
            }
        } catch (IOException e) {
            screen.note("The answer did not arrive: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isDecided(String approval, String answer) throws IOException, InterruptedException {
        try {
            conversation.decide(approval, answer);
            return true;
        } catch (CommandException e) {
            screen.note(e.getMessage());
            // a rejection needs only the right to send messages, so that its 403 is final
            return e.status() != 403 || answer.equals("reject");
        }
    }

    private String answer() throws IOException {
        while (true) {
            String line =
                    lines.next("y: once, a: always in this session, p: in this project, h: on this host, n: no › ");
            String decision = switch (line == null ? "n" : line.strip().toLowerCase(Locale.ROOT)) {
                case "y", "yes" -> "once";
                case "a", "always" -> "session";
                case "p", "project" -> "project";
                case "h", "host" -> "host";
                case "n", "no" -> "reject";
                default -> "";
            };
            if (!decision.isEmpty()) {
                return decision;
            }
            screen.note("Answer y, a, p, h or n.");
        }
    }

    /** Handles Ctrl-C during a turn: the first one cancels it, the second one leaves. */
    private final class InterruptHandler implements AutoCloseable {
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final AtomicBoolean leave = new AtomicBoolean();
        private final Thread waiting = Thread.currentThread();
        private final Terminal.@Nullable SignalHandler before =
                terminal == null ? null : terminal.handle(Terminal.Signal.INT, signal -> onInterrupt());

        private void onInterrupt() {
            if (!stopped.compareAndSet(false, true)) {
                leave.set(true);
                waiting.interrupt();
                return;
            }
            Thread.ofVirtual().start(() -> {
                try {
                    conversation.stop("");
                } catch (IOException | CommandException e) {
                    screen.note("It cannot be stopped: " + e.getMessage());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        void check() {
            if (leave.get()) {
                throw new EndOfFileException();
            }
        }

        @Override
        public void close() {
            if (terminal != null && before != null) {
                terminal.handle(Terminal.Signal.INT, before);
            }
        }
    }

    private void showReverted(JsonNode answer, String confirmation) {
        if (answer.hasNonNull("problem")) {
            screen.note(confirmation + " The files are as they were: "
                    + answer.path("problem").asText());
            return;
        }
        int restored = answer.path("restored").size() + answer.path("more").asInt(0);
        screen.note(restored == 0 ? confirmation : "%s Files put back: %d".formatted(confirmation, restored));
        answer.path("left")
                .forEach(file -> screen.note("Left as it is: %s, %s"
                        .formatted(file.path("path").asText(), file.path("why").asText())));
    }

    private void reset(String kind, String confirmation) throws IOException, InterruptedException {
        try {
            conversation.reset(kind);
        } catch (CommandException e) {
            if (e.status() != 404) {
                throw e;
            }
        }
        screen.note(confirmation);
    }

    private void stop(String reason) throws IOException, InterruptedException {
        conversation.stop(reason);
        screen.note("Stopped.");
    }

    private void session(String key) {
        if (!key.isEmpty()) {
            conversation.session(key);
        }
        screen.note("This is session " + conversation.session() + ".");
    }

    private void agent(String name) {
        conversation.agent(name.isEmpty() ? null : name);
        screen.note(name.isEmpty() ? "The session's own agent answers." : "The agent " + name + " answers.");
    }

    private void retry() throws InterruptedException {
        if (lastMessage.isEmpty()) {
            screen.note("There are no messages yet.");
        } else {
            send(lastMessage);
        }
    }

    private void sessions() throws IOException, InterruptedException {
        for (JsonNode session : conversation.sessions().path("data")) {
            String key = session.path("key").asText(session.path("id").asText());
            String mark = key.equals(conversation.session()) ? "* " : "  ";
            screen.line(mark + key + "  " + session.path("title").asText(""));
        }
    }

    private void agents() throws IOException, InterruptedException {
        try {
            for (JsonNode agent : conversation.agents().path("data")) {
                if (!agent.path("mode").asText().equals("subagent")) {
                    screen.line(agent.path("name").asText() + "  "
                            + agent.path("description").asText(""));
                }
            }
        } catch (CommandException e) {
            screen.note(e.status() == 404 ? "This server does not list its agents." : e.getMessage());
        }
    }

    private void history() throws IOException, InterruptedException {
        JsonNode messages;
        try {
            messages = conversation.messages().path("data");
        } catch (CommandException e) {
            screen.note(e.status() == 404 ? "There are no messages yet." : e.getMessage());
            return;
        }
        for (JsonNode message : messages) {
            var text = new StringBuilder();
            message.path("parts").forEach(part -> text.append(part.path("text").asText("")));
            if (!text.isEmpty()) {
                screen.line((message.path("role").asText().equals("user") ? "› " : "") + text);
            }
        }
    }
}
