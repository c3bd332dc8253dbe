package dev.parley.platform.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The folder that holds all of one Parley's data. As long as it is open, no other process can open it: two brokers or
 * two databases on the same files would destroy them. The lock ends with the process, however that ends.
 */
public final class DataFolder implements AutoCloseable {
    private static final String LOCK_FILE = "parley.lock";
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
    private static final int SECRET_BYTES = 32;

    /** Where the lock lies: beyond the file's text, so that others can read whose lock it is on every system. */
    private static final long LOCK_POSITION = Long.MAX_VALUE - 1;

    private final Path path;
    private final FileChannel lockFile;

    private DataFolder(Path path, FileChannel lockFile) {
        this.path = path;
        this.lockFile = lockFile;
    }

    /** Where the data is: {@code PARLEY_DATA}, else {@code ./data}. */
    public static Path location(Map<String, String> environment) {
        var configured = environment.getOrDefault("PARLEY_DATA", "");
        return Path.of(configured.isBlank() ? "data" : configured)
                .toAbsolutePath()
                .normalize();
    }

    /**
     * Opens the folder for this process alone; creates it, readable for its owner only, when there is none.
     *
     * @throws StartupException when another process has it open, or it cannot be created or written
     */
    public static DataFolder open(Path location) {
        var path = location.toAbsolutePath().normalize();
        try {
            PrivateFiles.createFolder(path);
            // Symbolic links resolved: what Postgres reports about itself is compared with this path later.
            return lock(path.toRealPath());
        } catch (IOException e) {
            throw new StartupException("The data folder " + path + " cannot be used: " + e, e);
        }
    }

    /** The folder itself, absolute. */
    public Path path() {
        return path;
    }

    /** A file or folder in it; it need not exist. */
    public Path resolve(String name) {
        return path.resolve(name);
    }

    /**
     * The secret of this name: 32 random bytes as 43 characters of base64url, made when first asked for and kept in a
     * file of that name that only its owner can read.
     *
     * @throws IllegalArgumentException when the name is no plain file name
     */
    public synchronized String secret(String name) {
        if (!FILE_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("Not a file name: " + name);
        }
        try {
            var kept = PrivateFiles.read(resolve(name));
            return kept.isPresent() ? kept.get() : createSecret(name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Lets other processes open the folder. */
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
