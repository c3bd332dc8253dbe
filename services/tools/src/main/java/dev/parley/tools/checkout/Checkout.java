package dev.parley.tools.checkout;

import dev.parley.tools.files.FilePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Arrays;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A folder of this machine in which agents work. A path is opened name by name, each within the folder that was opened before it and
 * none through a link, so that nothing leads out of it, whatever changes meanwhile. Files are replaced as a whole, by one at a time.
 */
final class Checkout {
    /** Bytes of a file that is read or written. */
    static final int MOST_BYTES = 8 << 20;

    /** How the files begin that are on their way to their places. */
    static final String TEMPORARY = ".parley-";

    private static final long PATIENCE_SECONDS = 30;

    private final Path root;
    private final Folders folders;
    private final ReentrantLock lock;

    /**
     * @param allowed the folder that the operator allows, which is trusted
     * @param root below it; both are what the file system says
     * @param lock of who changes something in it
     */
    Checkout(Path allowed, Path root, ReentrantLock lock) {
        this.root = root;
        this.folders = new Folders(allowed, root);
        this.lock = lock;
    }

    /** Where it is. */
    Path root() {
        return root;
    }

    Folders folders() {
        return folders;
    }

    /** What is done in it while nobody else changes anything. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException, InterruptedException;
    }

    /** Does something alone. @throws CheckoutException when others take too long */
    <T> T alone(Work<T> work) throws IOException, InterruptedException {
        if (!lock.tryLock(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new CheckoutException("another call works in this checkout; try again when it has ended");
        }
        try {
            return work.run();
        } finally {
            lock.unlock();
        }
    }

    /** A text. @throws CheckoutException when there is no file of this path, or it is no text */
    String text(FilePath path) throws IOException {
        return folders.in(path, false, (folder, name) -> {
            byte[] bytes = bytes(folder, name);
            if (bytes == null) {
                throw missing(path);
            }
            return text(path, bytes);
        });
    }

    static CheckoutException missing(FilePath path) {
        return new CheckoutException("there is no file " + path + "; repo_list shows which there are");
    }

    /** What a change came to. */
    record Changed(boolean isNew, boolean isChanged, int size) {}

    /**
     * Makes a text another one, which is there as a whole or not at all.
     *
     * @param make whether folders are made that are not there
     * @param change what there is becomes this; it is given null where there is no file
     */
    Changed change(FilePath path, boolean make, UnaryOperator<@Nullable String> change)
            throws IOException, InterruptedException {
        return alone(() -> folders.in(path, make, (folder, name) -> {
            byte[] before = bytes(folder, name);
            String after = change.apply(before == null ? null : text(path, before));
            byte[] bytes = (after == null ? "" : after).getBytes(StandardCharsets.UTF_8);
            if (bytes.length > MOST_BYTES) {
                throw new CheckoutException("the file would have more than " + MOST_BYTES + " bytes");
            }
            if (Arrays.equals(before, bytes)) {
                return new Changed(false, false, bytes.length);
            }
            replace(folder, name, before, bytes);
            return new Changed(before == null, true, bytes.length);
        }));
    }

    /** Others than Parley may work here, too: what they wrote since is not lost. */
    private static void replace(SecureDirectoryStream<Path> folder, Path name, byte @Nullable [] before, byte[] after)
            throws IOException {
        Path temporary = Path.of(TEMPORARY + UUID.randomUUID());
        try {
            var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            try (SeekableByteChannel channel = folder.newByteChannel(temporary, options)) {
                for (ByteBuffer buffer = ByteBuffer.wrap(after); buffer.hasRemaining(); ) {
                    channel.write(buffer);
                }
            }
            if (before != null) {
                keepPermissions(folder, name, temporary);
            }
            if (!Arrays.equals(before, bytes(folder, name))) {
                throw new CheckoutException("the file changed meanwhile; read it again");
            }
            folder.move(temporary, folder, name);
        } catch (IOException | RuntimeException e) {
            Folders.deleteQuietly(folder, temporary, e);
            throw e;
        }
    }

    private static void keepPermissions(SecureDirectoryStream<Path> folder, Path from, Path to) throws IOException {
        PosixFileAttributeView old =
                folder.getFileAttributeView(from, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        PosixFileAttributeView now =
                folder.getFileAttributeView(to, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        if (old != null && now != null) {
            now.setPermissions(old.readAttributes().permissions());
        }
    }

    /** The bytes of a file, or null where there is none. */
    private static byte @Nullable [] bytes(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        BasicFileAttributes attributes = Folders.attributes(folder, name);
        if (attributes == null) {
            return null;
        }
        if (!attributes.isRegularFile()) {
            throw new CheckoutException("'" + name + "' is "
                    + (attributes.isSymbolicLink()
                            ? "a link, which is not followed"
                            : attributes.isDirectory() ? "a folder; name a file in it" : "no file with content"));
        }
        try (SeekableByteChannel channel =
                folder.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            byte[] bytes = Channels.newInputStream(channel).readNBytes(MOST_BYTES + 1);
            if (bytes.length > MOST_BYTES) {
                throw new CheckoutException("'" + name + "' has more than " + MOST_BYTES + " bytes, too many for this");
            }
            return bytes;
        }
    }

    private static String text(FilePath path, byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.indexOf('\0') < 0) {
                return text;
            }
        } catch (CharacterCodingException e) {
            // said below
        }
        throw new CheckoutException(path + " is no text in UTF-8");
    }
}
