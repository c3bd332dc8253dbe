package dev.parley.tools.checkout;

import dev.parley.platform.outbound.EncodedText;
import dev.parley.tools.files.FilePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
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
 * A folder of this machine in which agents work. A path is opened name by name, each relative to its open parent folder
 * and without following links, so that no path escapes it, even when it changes concurrently. Files are replaced
 * atomically, one at a time.
 */
final class Checkout {
    /** Maximum bytes of a file. */
    static final int MAX_BYTES = 8 << 20;

    /** The prefix of temporary files. */
    static final String TEMPORARY = ".parley-";

    private static final long LOCK_TIMEOUT_SECONDS = 30;

    private final Path root;
    private final Folders folders;
    private final ReentrantLock lock;

    /**
     * @param allowed the folder that the operator allows, which is trusted
     * @param root the checkout below it; both are real paths
     * @param lock serialises changes
     */
    Checkout(Path allowed, Path root, ReentrantLock lock) {
        this.root = root;
        this.folders = new Folders(allowed, root);
        this.lock = lock;
    }

    /** The folder. */
    Path root() {
        return root;
    }

    Folders folders() {
        return folders;
    }

    /** Work under the lock. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws IOException, InterruptedException;
    }

    /**
     * Runs work under the lock.
     *
     * @throws CheckoutException when the lock is not free within 30 s
     */
    <T> T withLock(Work<T> work) throws IOException, InterruptedException {
        if (!lock.tryLock(LOCK_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            throw new CheckoutException("another call works in this checkout; try again when it has ended");
        }
        try {
            return work.run();
        } finally {
            lock.unlock();
        }
    }

    /**
     * The text of a file.
     *
     * @throws CheckoutException when there is no such file, or it is not text
     */
    String text(FilePath path) throws IOException {
        return folders.in(path, false, (folder, name) -> {
            byte[] bytes = bytes(folder, name);
            if (bytes == null) {
                throw missing(path);
            }
            return text(path, bytes).text();
        });
    }

    static CheckoutException missing(FilePath path) {
        return new CheckoutException("there is no file " + path + "; repo_list lists the files");
    }

    /** The result of a change. */
    record Changed(boolean isNew, boolean isChanged, int size) {}

    /**
     * Replaces the text of a file atomically; it keeps its charset and byte order mark.
     *
     * @param createFolders whether to create missing folders
     * @param change computes the new text from the old one, which is null if there is no file
     */
    Changed change(FilePath path, boolean createFolders, UnaryOperator<@Nullable String> change)
            throws IOException, InterruptedException {
        return withLock(() -> folders.in(path, createFolders, (folder, name) -> {
            byte[] before = bytes(folder, name);
            EncodedText text = before == null ? null : text(path, before);
            String after = change.apply(text == null ? null : text.text());
            byte[] bytes = changed(text, after == null ? "" : after);
            if (bytes.length > MAX_BYTES) {
                throw new CheckoutException("the file would have more than " + MAX_BYTES + " bytes");
            }
            if (Arrays.equals(before, bytes)) {
                return new Changed(false, false, bytes.length);
            }
            replace(folder, name, before, bytes);
            return new Changed(before == null, true, bytes.length);
        }));
    }

    /** Replaces the file unless it has changed concurrently: other programs may work here, too. */
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

    /** The bytes of a file, or null if there is none. */
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
            byte[] bytes = Channels.newInputStream(channel).readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new CheckoutException("'" + name + "' has more than " + MAX_BYTES + " bytes, too many for this");
            }
            return bytes;
        }
    }

    private static EncodedText text(FilePath path, byte[] bytes) {
        return EncodedText.of(bytes).orElseThrow(() -> new CheckoutException(path + " is not text"));
    }

    /** A file that is new is in UTF-8, another one stays as it is. */
    private static byte[] changed(@Nullable EncodedText before, String after) {
        try {
            return before == null
                    ? after.getBytes(StandardCharsets.UTF_8)
                    : before.with(after).bytes();
        } catch (IllegalArgumentException e) {
            throw new CheckoutException(String.valueOf(e.getMessage()));
        }
    }
}
