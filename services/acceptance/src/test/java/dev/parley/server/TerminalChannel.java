package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.platform.testkit.TcpProxy;
import dev.parley.server.chat.PipedChat;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The channel contract for the terminal chat, over a network that fails. */
abstract class TerminalChannel extends ChannelContract {
    private static final Pattern LENGTH = Pattern.compile("(?i)content-length: (\\d+)");

    private final List<Terminal> terminals = new ArrayList<>();
    private Path folder;

    @Override
    Whole begins(Path in) {
        folder = in;
        return FetchedChannelsIT.whole();
    }

    @Override
    void ends() {
        terminals.forEach(Terminal::close);
    }

    @Override
    Terminal conversation() {
        var terminal = new Terminal("cli:" + UUID.randomUUID());
        terminals.add(terminal);
        return terminal;
    }

    @Override
    String secret() {
        return Servers.KEY;
    }

    @Override
    String goesWrong(Conversation talk) {
        talk.says("!fail auth");
        return "model call failed";
    }

    /** A chat in a pipe, and the network between it and the server. */
    final class Terminal implements Conversation, AutoCloseable {
        private final String session;
        private final int server = URI.create(api.url()).getPort();
        private final TcpProxy network = new TcpProxy(server);
        private final PipedChat chat;

        Terminal(String session) {
            this.session = session;
            try {
                chat = new PipedChat("http://127.0.0.1:" + network.port(), api.key(), folder, session);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public String session() {
            return session;
        }

        @Override
        public Runnable says(String text) {
            chat.types(text);
            return () -> assertTrue(Pattern.matches("HTTP/1.1 20[02] .*", sends(lastPost())));
        }

        /** The request by which the last message was sent, byte for byte. */
        private String lastPost() {
            String sent = network.sent().stream()
                    .filter(request -> request.contains("POST /"))
                    .toList()
                    .getLast();
            String post = sent.substring(sent.lastIndexOf("POST /"));
            Matcher length = LENGTH.matcher(post);
            assertTrue(length.find(), post);
            return post.substring(0, post.indexOf("\r\n\r\n") + 4 + Integer.parseInt(length.group(1)));
        }

        /** Sends a request; returns the first line of the answer. */
        private String sends(String request) {
            try (var socket = new Socket(InetAddress.getLoopbackAddress(), server)) {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                        .readLine();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void awaitNotTaken() {
            Awaitility.await().atMost(SOON).until(() -> chat.notes().toString().contains("takes no messages"));
        }

        @Override
        public void comesAgain() {
            // the chat retries by itself
        }

        /** The lines, without those about tools. */
        @Override
        public List<String> shown() {
            return chat.shown()
                    .lines()
                    .filter(line -> !line.isEmpty() && !line.startsWith("⚙"))
                    .toList();
        }

        @Override
        public void close() {
            chat.close();
            network.close();
        }
    }

    @Test
    @Tag("P52")
    void interruptedStreamShowsTheReplyOnceAndComplete() {
        // Given
        Terminal terminal = conversation();
        terminal.network.cutAfter("event: token");

        // When
        terminal.chat.types("!stream 30 words over 1s");
        terminal.chat.types("!say the end");
        Awaitility.await().atMost(SOON).until(() -> terminal.shown().contains("the end"));

        // Then
        assertTrue(terminal.network.hasCut());
        assertTrue(terminal.chat.notes().toString().contains("the connection broke"));
        Awaitility.await().atMost(SOON).until(() -> turns(terminal).size() == 2);
        String reply = turns(terminal).getFirst().path("reply").asText();
        assertEquals(30, reply.split("\\s+").length);
        assertEquals(reply.strip() + "\nthe end\n", terminal.chat.shown());
    }

    @Test
    @Tag("P7")
    void resendsAMessageAfterALostResponseAsOneTurn() {
        Terminal terminal = conversation();
        terminal.network.cutAfter("HTTP/1.1 202");

        terminal.chat.types("!say once");
        terminal.chat.types("!say twice");

        awaitShown(terminal, List.of("once", "twice"));
        assertTrue(terminal.network.hasCut());
        Awaitility.await().atMost(SOON).until(() -> turns(terminal).size() == 2);
    }
}
