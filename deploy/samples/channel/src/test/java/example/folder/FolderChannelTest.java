package example.folder;

import dev.parley.channels.contract.ChannelPlugin;
import dev.parley.channels.testing.BotSettings;
import dev.parley.channels.testing.ChannelDouble;
import dev.parley.channels.testing.ChannelPluginContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The contract of channels for folders: the other side is whoever puts files there. */
class FolderChannelTest extends ChannelPluginContract {
    @Override
    protected ChannelPlugin plugin() {
        return new FolderChannel();
    }

    @Override
    protected ChannelDouble start() throws IOException {
        return new Desk(Files.createTempDirectory("desk"));
    }

    private static final class Desk implements ChannelDouble {
        private final Path folder;
        private int number;

        Desk(Path folder) {
            this.folder = folder;
        }

        @Override
        public BotSettings settings() {
            var settings = Map.of("path", folder.toString());
            return new BotSettings("desk", URI.create(""), "no-secret-here", Map.of(), settings);
        }

        @Override
        public Person person() {
            return new Visitor(this, "chat-" + ++number);
        }

        /** What is left goes with the temporary files of the machine. */
        @Override
        public void close() {}
    }

    private record Visitor(Desk desk, String chat) implements ChannelDouble.Person {
        @Override
        public ChannelDouble.Sent writes(String text) {
            String name = "%06d.txt".formatted(++desk.number);
            put(name, text);
            return new ChannelDouble.Sent() {
                @Override
                public void again() {
                    if (isAcknowledged()) {
                        put(name, text);
                    }
                }

                @Override
                public boolean isAcknowledged() {
                    return !Files.exists(inbox().resolve(name));
                }
            };
        }

        private Path inbox() {
            return desk.folder.resolve("in").resolve(chat).resolve("ann-" + chat);
        }

        private void put(String name, String text) {
            try {
                Path temporary = Files.writeString(desk.folder.resolve(chat + "-" + name), text);
                Files.move(temporary, Files.createDirectories(inbox()).resolve(name), StandardCopyOption.ATOMIC_MOVE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public List<String> reads() {
            Path out = desk.folder.resolve("out").resolve(chat);
            if (!Files.isDirectory(out)) {
                return List.of();
            }
            try (Stream<Path> files = Files.list(out)) {
                return files.sorted().map(Visitor::read).toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
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
}
