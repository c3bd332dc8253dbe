package example.folder;

import dev.parley.channels.contract.ChannelBot;
import dev.parley.channels.contract.Connection;
import dev.parley.channels.contract.ConversationAddress;
import dev.parley.channels.contract.Delivery;
import dev.parley.channels.contract.InboundMessage;
import dev.parley.channels.contract.Limits;
import dev.parley.channels.contract.Piece;
import dev.parley.channels.contract.SendFailure;
import dev.parley.channels.contract.Sender;
import dev.parley.channels.contract.Taken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A bot at work in its folder. A message stays where it is until Parley has it. */
final class Folder implements Connection {
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final long LARGEST = 1 << 20;

    private final ChannelBot bot;
    private final Path folder;
    private final Path in;
    private final Thread thread;
    private volatile String problem;

    Folder(ChannelBot bot, Path folder) {
        this.bot = bot;
        this.folder = folder;
        this.in = folder.resolve("in");
        this.thread = Thread.startVirtualThread(this::look);
    }

    private void look() {
        try {
            while (true) {
                try (Stream<Path> files = Files.walk(Files.createDirectories(in), 3)) {
                    for (Path file : files.filter(one -> one.toString().endsWith(".txt")).sorted().toList()) {
                        take(file);
                    }
                    problem = null;
                } catch (IOException | UncheckedIOException e) {
                    problem = "the folder cannot be read: " + e;
                }
                Thread.sleep(LOOK);
            }
        } catch (InterruptedException e) {
            // closed: what is left stays for the next owner
        }
    }

    /** @param file CHAT/USER/ID.txt */
    private void take(Path file) throws IOException, InterruptedException {
        Path said = in.relativize(file);
        String chat = said.getName(0).toString();
        if (said.getNameCount() != 3 || Files.size(file) > LARGEST) {
            refuse(file, chat);
            return;
        }
        String user = said.getName(1).toString();
        String id = said.getName(2).toString().replaceFirst("\\.txt$", "");
        var at = new ConversationAddress(bot.name(), chat, null);
        try {
            switch (bot.take(new InboundMessage(at, id, new Sender(user, user), Files.readString(file)))) {
                case Taken.Safe _ -> Files.delete(file);
                case Taken.Refused _ -> refuse(file, chat);
                case Taken.NotSafe _ -> Thread.sleep(Duration.ofSeconds(1)); // the next look finds it again
            }
        } catch (CharacterCodingException e) {
            refuse(file, chat);
        }
    }

    private void refuse(Path file, String chat) throws IOException {
        Path refused = Files.createDirectories(folder.resolve("refused").resolve(chat));
        Files.move(file, refused.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }

    /** A file that is there already is the same message: it is replaced. */
    @Override
    public String send(ConversationAddress to, Piece piece, Delivery delivery) throws SendFailure {
        try {
            Path out = Files.createDirectories(folder.resolve("out").resolve(to.chat()));
            try (Stream<Path> before = Files.list(out)) {
                List<String> names = before.map(file -> file.getFileName().toString()).toList();
                String id = delivery.id() + ".txt";
                String name = names.stream().filter(one -> one.endsWith(id)).findFirst()
                        .orElse("%08d-%s".formatted(names.size(), id));
                String text = ((Piece.Words) piece).plain(); // a file is told in words: the largest one is empty
                Path made = Files.writeString(folder.resolve(name), text);
                Files.move(made, out.resolve(name), StandardCopyOption.REPLACE_EXISTING);
                return delivery.id();
            }
        } catch (IOException e) {
            throw new SendFailure(SendFailure.Kind.LATER, "the folder cannot be written: " + e, null);
        }
    }

    @Override
    public boolean sendsOnce() {
        return true;
    }

    @Override
    public List<Piece> pieces(String text) {
        return List.of(Piece.Words.plain(text));
    }

    @Override
    public Limits limits(ConversationAddress address) {
        return new Limits(100, 50, 50, Duration.ofSeconds(1), Duration.ofSeconds(1));
    }

    @Override
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
