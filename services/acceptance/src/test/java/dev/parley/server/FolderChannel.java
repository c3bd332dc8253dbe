package dev.parley.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** The channel contract for a plug-in: users put files into a folder, and find replies there. */
abstract class FolderChannel extends ChannelContract {
    private static final String MESSAGES = "parley_channel_updates_total{bot=\"desk\",kind=\"message\"";

    private Path desk;

    @Override
    Whole begins(Path unused) {
        desk = FetchedChannelsIT.desk();
        return FetchedChannelsIT.whole();
    }

    @Override
    void ends() {
        // the process is shared
    }

    @Override
    Drawer conversation() {
        return new Drawer("c-" + UUID.randomUUID());
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

    private double receivedMessages() {
        return api.get("/prometheus")
                .text()
                .lines()
                .filter(line -> line.startsWith(MESSAGES))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** A chat in the folder. */
    final class Drawer implements Conversation {
        private final String chat;
        private int sent;
        private double before;

        Drawer(String chat) {
            this.chat = chat;
        }

        @Override
        public String session() {
            return "desk:" + chat;
        }

        @Override
        public Runnable says(String text) {
            String id = "%06d".formatted(++sent);
            before = receivedMessages();
            put(id, text);
            return () -> put(id, text);
        }

        private void put(String id, String text) {
            try {
                Path inbox =
                        Files.createDirectories(desk.resolve("in").resolve(chat).resolve("ann"));
                Path temporary = Files.writeString(desk.resolve(chat + "-" + id), text);
                Files.move(temporary, inbox.resolve(id + ".txt"), StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** The message was delivered, could not be stored, and is delivered again. */
        @Override
        public void awaitNotTaken() {
            Awaitility.await().atMost(SOON).until(() -> receivedMessages() >= before + 2);
        }

        @Override
        public void comesAgain() {
            // the channel redelivers it by itself
        }

        @Override
        public List<String> shown() {
            Path out = desk.resolve("out").resolve(chat);
            if (!Files.isDirectory(out)) {
                return List.of();
            }
            try (Stream<Path> files = Files.list(out)) {
                return files.sorted().map(FolderChannel::read).toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
