package dev.parley.sessions.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.parley.sessions.api.share.Masking;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No file of the repository, committed or not, contains a secret of a form known to {@link Masking}. Values
 * invented for tests are {@linkplain #MADE_UP listed}.
 */
class SecretsInRepositoryTest {
    private static final Path ROOT =
            Path.of("").toAbsolutePath().resolve("../..").normalize();

    /** Folders of .gitignore, and git's own. */
    private static final Set<String> EXCLUDED =
            Set.of(".git", "target", "data", "node_modules", ".idea", ".vscode", ".settings");

    /**
     * Values that are no secrets. Keys of new tests begin with {@code sk-sentinel-}, tokens of bots end in
     * {@code -token_0123456789}.
     */
    private static final Pattern MADE_UP = Pattern.compile(
            String.join(
                    "|",
                    "sk-sentinel-[\\w-]*",
                    "\\d+:AA[a-z]+-token_0123456789",
                    "(?:xoxb-1-2|xapp-1)-[a-z-]+-token",
                    // keys of older tests
                    "sk-1234567890|sk-a-key-of-ann-4711|sk-ant-secret-123456|sk-live-0123456789abcdef|sk-of-this-test",
                    "sk-secret-123456|sk-secret-key-of-|sk-very-secret-0123456789|sk-of-no-known-form",
                    // passwords in addresses that must be rejected or masked
                    "p|pass|password|word|hunter2|secret",
                    // secrets that MaskingTest and ShareIT mask
                    "sk-proj-Ab12Cd34Ef56Gh78|sk-ant-api03-x+(?:-yy)?|AKIAIOSFODNN7EXAMPLE",
                    "xoxb-123456789012-abcdefghij|xapp-1-A0123456789-abcdefghij|EAAJxyzABCDEFGHIJKLMNOP0123456789",
                    "ghp_0123456789abcdefghijABCDEFGHIJ012345|github_pat_11ABCDEFG0123456789_abcdef",
                    "AIzaSyA-0123456789abcdefghijklmnopqrstuv|abc\\.DEF-123456|abcdef123456",
                    "eyJhbGciOiJIUzI1NiJ9\\.eyJzdWIiOiIxMjM0In0\\.c2lnbmF0dXJl",
                    "-----BEGIN PRIVATE KEY-----.nMIIE.n-----END PRIVATE KEY-----",
                    "-----BEGIN RSA PRIVATE KEY-----.nit ends too soon.*",
                    // Java that looks like an address
                    "[^\\w]+"),
            Pattern.DOTALL);

    @TempDir
    private Path folder;

    @Test
    void repositoryFilesContainNoSecrets() throws IOException {
        List<Path> files = files(ROOT);

        assertTrue(files.size() > 1000, "the repository was read: " + files.size());
        assertEquals(
                "",
                found(ROOT, files),
                "Take these out, and have them revoked where they are real. What is made up for a test is listed in"
                        + " MADE_UP.");
    }

    @Test
    void findsASecret() throws IOException {
        String secret = "ghp_" + "Ab1".repeat(12);
        Files.createDirectories(folder.resolve("target"));
        Files.writeString(folder.resolve("target/built.txt"), secret);
        Files.writeString(folder.resolve("notes.md"), "one\nexport TOKEN=" + secret + "\nsk-sentinel-made-up\n");
        Files.write(folder.resolve("bytes.bin"), ("\0\u00ff" + secret).getBytes(StandardCharsets.ISO_8859_1));

        assertEquals("bytes.bin:1 ghp_Ab…\nnotes.md:2 ghp_Ab…", found(folder, files(folder)));
    }

    /** One line per secret: its place and its beginning. */
    private static String found(Path root, List<Path> files) {
        return String.join(
                "\n",
                files.parallelStream()
                        .flatMap(file -> found(root.relativize(file).toString(), text(file)))
                        .sorted()
                        .toList());
    }

    private static Stream<String> found(String name, String text) {
        return Masking.SECRETS.stream()
                .flatMap(secret -> secret.matcher(text).results())
                .filter(match -> !MADE_UP.matcher(match.group()).matches())
                .map(match -> "%s:%d %s…".formatted(name, line(text, match), prefix(match.group())));
    }

    private static long line(String text, MatchResult match) {
        return 1 + text.chars().limit(match.start()).filter(c -> c == '\n').count();
    }

    private static String prefix(String secret) {
        return secret.substring(0, Math.min(6, secret.length() / 2));
    }

    /** Each byte is a character: secrets are ASCII, and some files are no text. */
    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path root) throws IOException {
        var files = new ArrayList<Path>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return EXCLUDED.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }
}
