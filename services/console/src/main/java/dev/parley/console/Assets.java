package dev.parley.console;

import dev.parley.domain.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The files of the console: its own, and those of its JavaScript libraries, from the class path. */
final class Assets {
    private static final String OWN = "console/";
    private static final Pattern NAME =
            Pattern.compile("(?:[a-z0-9-]{1,40}/){0,2}[a-z0-9-]{1,40}\\.(?:html|js|css|svg)");
    private final Map<String, String> libraries;
    private final Map<String, Asset> read = new ConcurrentHashMap<>();

    /** @param libraries class-path locations of library files, by their names in the console */
    Assets(Map<String, String> libraries) {
        this.libraries = Map.copyOf(libraries);
    }

    /**
     * A file.
     *
     * @param tag its ETag
     */
    record Asset(byte[] bytes, String type, String tag) {}

    /** Finds a file such as {@code pages/chat.js}. */
    Optional<Asset> find(String name) {
        if (!NAME.matcher(name).matches()) {
            return Optional.empty();
        }
        @Nullable Asset cached = read.get(name);
        return cached == null ? read(name) : Optional.of(cached);
    }

    private Optional<Asset> read(String name) {
        String path = libraries.getOrDefault(name, OWN + name);
        try (@Nullable InputStream in = Assets.class.getClassLoader().getResourceAsStream(path)) {
            if (in == null) {
                return Optional.empty();
            }
            byte[] bytes = libraries.containsKey(name) ? linked(in.readAllBytes()) : in.readAllBytes();
            var asset = new Asset(bytes, type(name), tag(bytes));
            read.put(name, asset);
            return Optional.of(asset);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replaces imports of the package Preact by its file, as browsers do not resolve packages. */
    private static byte[] linked(byte[] library) {
        return new String(library, StandardCharsets.UTF_8)
                .replace("from\"preact\"", "from\"./preact-core.js\"")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String type(String name) {
        return switch (name.substring(name.lastIndexOf('.') + 1)) {
            case "html" -> "text/html;charset=utf-8";
            case "js" -> "text/javascript;charset=utf-8";
            case "css" -> "text/css;charset=utf-8";
            default -> "image/svg+xml";
        };
    }

    private static String tag(byte[] bytes) {
        return '"' + HexFormat.of().formatHex(Sha256.of(bytes), 0, 12) + '"';
    }
}
