package dev.parley.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Channels know the plug-in API alone, and the core of the bots knows no platform. */
class ChannelModulesTest {
    private static final Path SERVICES =
            Path.of("").toAbsolutePath().resolve("..").normalize();
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?(dev\\.parley\\.[\\w.]*?[A-Z]\\w*)");
    private static final Pattern FRAMEWORK =
            Pattern.compile("(?m)^import (?:io\\.micronaut|io\\.micrometer|jakarta)\\.");
    private static final String PLUGIN =
            "src/main/resources/META-INF/services/dev.parley.channels.contract.ChannelPlugin";
    private static final List<String> API = List.of("plugin-api", "domain", "language");

    @Test
    @Tag("B172")
    void channelsOfTheClassPathSeeThePluginApiAlone() throws IOException {
        List<Path> channels = modules(PLUGIN);

        assertEquals(
                List.of("discord", "slack", "teams", "telegram", "webhook", "whatsapp"),
                channels.stream()
                        .map(channel -> channel.getFileName().toString())
                        .toList());
        for (Path channel : channels) {
            var foreign = new TreeSet<String>();
            for (Path file : sources(channel)) {
                String text = Files.readString(file);
                IMPORT.matcher(text)
                        .results()
                        .map(found -> found.group(1))
                        .filter(type -> !isIn(channel, type)
                                && API.stream().noneMatch(api -> isIn(SERVICES.resolve(api), type)))
                        .forEach(foreign::add);
                FRAMEWORK.matcher(text).results().map(MatchResult::group).forEach(foreign::add);
            }
            assertEquals(new TreeSet<>(), foreign, channel + " uses more than the plug-in API");
            assertTrue(
                    Files.readString(channel.resolve("pom.xml")).contains("<id>plug-in-api-alone</id>"),
                    channel + " is not held to the plug-in API by its build");
        }
    }

    @Test
    void botsNameNoPlatform() throws IOException {
        var platforms = new TreeSet<String>();
        for (Path module : modules("src/main/resources/META-INF/services")) {
            platforms.add("dev.parley.channels." + module.getFileName() + ".");
        }
        var named = new TreeSet<String>();
        for (Path file : sources(SERVICES.resolve("bots"))) {
            String text = Files.readString(file);
            platforms.stream()
                    .filter(text::contains)
                    .forEach(platform -> named.add(file.getFileName() + ": " + platform));
        }

        assertEquals(6, platforms.size(), platforms.toString());
        assertEquals(new TreeSet<>(), named);
    }

    /** The modules of channels that have this file: each has a package of its own name. */
    private static List<Path> modules(String file) throws IOException {
        try (Stream<Path> folders = Files.list(SERVICES)) {
            return folders.filter(folder -> Files.exists(folder.resolve(file)))
                    .filter(folder -> Files.isDirectory(
                            folder.resolve("src/main/java/dev/parley/channels").resolve(folder.getFileName())))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> sources(Path module) {
        try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isIn(Path module, String type) {
        return Files.exists(module.resolve("src/main/java").resolve(type.replace('.', '/') + ".java"));
    }
}
