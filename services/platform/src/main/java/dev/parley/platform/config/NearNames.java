package dev.parley.platform.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Suggests the known name that is closest to an unknown one. */
public final class NearNames {
    /** So many letters may be put in, left out or changed. */
    private static final int SLIPS = 2;

    private static final LevenshteinDistance DISTANCE = new LevenshteinDistance(SLIPS);

    private NearNames() {}

    /** The known name that differs least; empty where none is near. */
    public static Optional<String> of(String name, Collection<String> known) {
        return known.stream()
                .filter(other -> slips(name, other) >= 0)
                .min(Comparator.<String>comparingInt(other -> slips(name, other))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static int slips(String name, String other) {
        return DISTANCE.apply(name.toLowerCase(Locale.ROOT), other.toLowerCase(Locale.ROOT));
    }
}
