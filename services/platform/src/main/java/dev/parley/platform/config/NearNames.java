package dev.parley.platform.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Suggests the known name that is closest to an unknown one. */
public final class NearNames {
    /** Maximum edit distance. */
    private static final int MAX_DISTANCE = 2;

    private static final LevenshteinDistance DISTANCE = new LevenshteinDistance(MAX_DISTANCE);

    private NearNames() {}

    /** The closest known name, if one is close. */
    public static Optional<String> of(String name, Collection<String> candidates) {
        return candidates.stream()
                .filter(other -> distance(name, other) >= 0)
                .min(Comparator.<String>comparingInt(other -> distance(name, other))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static int distance(String name, String other) {
        return DISTANCE.apply(name.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT));
    }
}
