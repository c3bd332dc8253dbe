package dev.parley.platform.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The folder with the data of a process. It is locked while it is open, since two brokers or databases on the same
 * files would destroy them. The lock ends with the process.
 */
public final class DataFolder implements AutoCloseable {
    private static final String LOCK_FILE = "parley.lock";
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
    private static final int SECRET_BYTES = 32;

    /** Position of the lock behind the text of the file, so that other processes can read the pid on every system. */
    private static final long LOCK_POSITION = Long.MAX_VALUE - 1;

    private final Path path;
    private final FileChannel lockFile;

    private DataFolder(Path path, FileChannel lockFile) {
        this.path = path;
        this.lockFile = lockFile;
    }

    /** The path of the folder: {@code PARLEY_DATA}, otherwise {@code ./data}. */
    public static Path location(Map<String, String> environment) {
        var configured = environment.getOrDefault("PARLEY_DATA", "");
        return Path.of(configured.isBlank() ? "data" : configured)
                .toAbsolutePath()
                .normalize();
    }

    /**
     * Opens and locks the folder; creates it with access for its owner only if it does not exist.
     *
     * @throws StartupException if another process has it open, or it cannot be created or written
     */
    public static DataFolder open(Path location) {
        var path = location.toAbsolutePath().normalize();
        try {
            PrivateFiles.createFolder(path);
            // Without symbolic links, since it is compared with the path that Postgres reports.
            return lock(path.toRealPath());
        } catch (IOException e) {
            throw new StartupException("The data folder " + path + " cannot be used: " + e, e);
        }
    }

    /**
     * The id of the process that has the folder open; empty if none has. The lock tells, for the id in its file may be
     * one of a process that was killed, and belong to another one now.
     */
    static Optional<Long> holder(Path path) throws IOException {
        var file = path.resolve(LOCK_FILE);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return tryLock(channel) == null ? PrivateFiles.read(file).map(Long::parseLong) : Optional.empty();
        }
    }

    /** The absolute path of the folder. */
    public Path path() {
        return path;
    }

    /** A file or folder in it; it need not exist. */
    public Path resolve(String name) {
        return path.resolve(name);
    }

    /**
     * The secret with a name: 32 random bytes as 43 characters of base64url, generated on first use and stored in a
     * file of that name that only its owner can read.
     *
     * @throws IllegalArgumentException if the name is not a plain file name
     */
    public synchronized String secret(String name) {
        if (!FILE_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Not a file name: " + name);
        }
        try {
            var stored = PrivateFiles.read(resolve(name));
            return stored.isPresent() ? stored.get() : createSecret(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unlocks the folder. */
    @Override
    public void close() {
        try {
            lockFile.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String createSecret(String name) throws IOException {
        var bytes = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(bytes);
        var secret = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        PrivateFiles.write(resolve(name), secret);
        return secret;
    }

    private static DataFolder lock(Path path) throws IOException {
        var file = path.resolve(LOCK_FILE);
        var channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            channel.close();
            throw new StartupException(
                    "Another Parley (pid %s) is using %s. Stop it, or set PARLEY_DATA to another folder."
                            .formatted(PrivateFiles.read(file).orElse("unknown"), path));
        }
        var pid = ProcessHandle.current().pid() + "\n";
        channel.truncate(0).write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.UTF_8)));
        return new DataFolder(path, channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock(LOCK_POSITION, 1, false);
        } catch (OverlappingFileLockException heldByThisJvm) {
            return null;
        }
    }
}
