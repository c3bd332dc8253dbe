package dev.parley.imports;

import dev.parley.domain.Names;
import dev.parley.language.text.Clip;
import java.text.Normalizer;
import java.util.Locale;

/** Maps names of other systems to valid names of Parley. */
final class ImportedNames {
    private static final int MAX_TOOL = 64;
    private static final int MAX_AGENT = 126;
    private static final int MAX_KEY = 512;

    private ImportedNames() {}

    /** Letters, digits, {@code _} and {@code -}. */
    static String tool(String name) {
        return Clip.start(stripAccents(name).replaceAll("[^A-Za-z0-9_-]+", "_"), MAX_TOOL);
    }

    /** Small letters, digits and single hyphens. */
    static String skill(String name) {
        String small = stripAccents(name).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        return Clip.start(small.replaceAll("^-|-$", ""), MAX_TOOL).replaceAll("-$", "");
    }

    /** Letters, digits, {@code _}, {@code .} and {@code -}. */
    static String agent(String name) {
        return Clip.start(stripAccents(name).replaceAll("[^A-Za-z0-9_.-]+", "-"), MAX_AGENT);
    }

    /** A session key without the characters that keys must not have; one that reads as another one has only ASCII. */
    static String session(String key) {
        String composed = Normalizer.normalize(Names.cleaned(key), Normalizer.Form.NFKC);
        String plain = Clip.start(composed.replaceAll("[\\p{Z}\\s/#\\p{Cntrl}]", "_"), MAX_KEY);
        return Names.problemOfKey(plain).isEmpty() ? plain : plain.replaceAll("[^!-~]", "_");
    }

    private static String stripAccents(String name) {
        return Normalizer.normalize(name.strip(), Normalizer.Form.NFD).replaceAll("\\p{M}", "");
    }
}
