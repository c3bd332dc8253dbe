package dev.parley.platform.embedded;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** The Postgres programs, unpacked from a jar. */
final class PostgresBinaries {
    private static final int ANY_EXECUTE_BIT = 0b001_001_001;

    private PostgresBinaries() {}

    /**
     * Unpacks the programs for this machine into a new folder below the parent, unless it exists, and returns that
     * folder.
     *
     * @throws StartupException if there are none for this machine
     */
    static Path unpackOnce(Path parent) throws IOException {
        var archive = archive();
        return PrivateFiles.createOnce(parent, "postgres-" + fingerprint(archive), draft -> {
            try (var in = archive.openStream()) {
                unpack(in, draft);
            }
        });
    }

    private static URL archive() {
        var name = "/postgres-%s-%s.txz".formatted(system(), architecture());
        var archive = PostgresBinaries.class.getResource(name);
        if (archive == null) {
            throw new StartupException(
                    "There is no embedded Postgres for %s on %s in this build. Build Parley on this machine, or set PARLEY_POSTGRES to a Postgres of your own."
                            .formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
        }
        return archive;
    }

    private static String system() {
        var name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        if (name.startsWith("windows")) {
            return "windows";
        }
        return name.startsWith("mac") ? "darwin" : name;
    }

    private static String architecture() {
        return switch (System.getProperty("os.arch")) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm_64";
            case String other -> other;
        };
    }

    /** Distinguishes versions of the archive without reading 15 MB at each start. */
    private static String fingerprint(URL archive) throws IOException {
        var connection = archive.openConnection();
        var number = connection instanceof JarURLConnection jar
                ? jar.getJarEntry().getCrc()
                : connection.getContentLengthLong();
        return Long.toHexString(number);
    }

    private static void unpack(InputStream in, Path folder) throws IOException {
        try (var tar = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(in, 1 << 16)))) {
            for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                unpackEntry(tar, entry, folder);
            }
        }
    }

    private static void unpackEntry(TarArchiveInputStream tar, TarArchiveEntry entry, Path folder) throws IOException {
        var target = folder.resolve(entry.getName()).normalize();
        if (!target.startsWith(folder)) {
            throw new IOException("Entry outside of its archive: " + entry.getName());
        }
        if (entry.isDirectory()) {
            Files.createDirectories(target);
            return;
        }
        Files.createDirectories(target.getParent());
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
            return;
        }
        Files.copy(tar, target);
        if ((entry.getMode() & ANY_EXECUTE_BIT) != 0 && !target.toFile().setExecutable(true, true)) {
            throw new IOException("Cannot make executable: " + target);
        }
    }
}
