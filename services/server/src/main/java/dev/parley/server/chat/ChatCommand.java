package dev.parley.server.chat;

import dev.parley.server.client.CommandException;
import dev.parley.server.client.ServerConnection;
import dev.parley.server.client.ServerOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code parley chat}: a chat with an agent in the terminal. */
@Command(
        name = "chat",
        mixinStandardHelpOptions = true,
        description = "Chats with an agent in the terminal. Connects to the server that runs on the data folder.")
public final class ChatCommand implements Callable<Integer> {
    private static final int INTERRUPTED = 130;

    @Mixin
    private ServerOptions server;

    @Option(names = "--session", paramLabel = "KEY", description = "the session, instead of cli:USER")
    private @Nullable String session;

    @Option(names = "--agent", paramLabel = "NAME", description = "the agent, instead of the session's")
    private @Nullable String agent;

    @Option(
            names = "--once",
            paramLabel = "TEXT",
            description = "sends this message, prints the reply and exits: 0 when the turn completed, 1 otherwise")
    private @Nullable String once;

    @Option(names = "--json", description = "prints each event as a line of JSON")
    private boolean json;

    @Override
    public Integer call() {
        var err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        try {
            return chat(server.connection(), err);
        } catch (CommandException e) {
            err.println(e.getMessage());
            return 1;
        } catch (IOException e) {
            err.println("The terminal cannot be used: " + e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            return INTERRUPTED; // the second Ctrl-C
        }
    }

    private int chat(ServerConnection connection, PrintWriter err) throws IOException, InterruptedException {
        try (var client = new ChatClient(connection)) {
            String name = session == null ? "cli:" + user() : session;
            var conversation = new ChatSession(client, name, agent, err::println);
            return once == null
                    ? converse(client, conversation, connection.data().resolve("chat-history"))
                    : sendOnce(conversation, once);
        }
    }

    private static String user() {
        return System.getProperty("user.name", "me").replaceAll("[\\s/#\\p{Cntrl}]", "_");
    }

    private int sendOnce(ChatSession conversation, String text) throws InterruptedException {
        var out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        var screen = new ChatScreen(out, false, json);
        String state = conversation.send(text, event -> {
            if (json || event.name().equals("done") || event.name().equals("error")) {
                screen.show(event);
            }
        });
        return state.equals("COMPLETED") ? 0 : 1;
    }

    private int converse(ChatClient client, ChatSession conversation, Path history)
            throws IOException, InterruptedException {
        if (System.console() == null || !System.console().isTerminal()) {
            var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            var out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
            return ChatLoop.ofPipe(in, out, client, conversation, json).run();
        }
        try (Terminal terminal =
                TerminalBuilder.builder().system(true).dumb(true).build()) {
            return ChatLoop.interactive(terminal, client, conversation, history, json)
                    .run();
        }
    }
}
