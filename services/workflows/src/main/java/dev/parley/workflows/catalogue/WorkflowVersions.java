package dev.parley.workflows.catalogue;

import java.util.Comparator;
import java.util.regex.Pattern;

/** Order of versions: by number; a pre-release precedes its release. */
final class WorkflowVersions {
    private static final Pattern DOT = Pattern.compile("\\.");

    static final Comparator<String> ORDER = Comparator.comparing(
                    WorkflowVersions::number, WorkflowVersions::compareNumbers)
            .thenComparing(version -> !version.contains("-"))
            .thenComparing(Comparator.naturalOrder());

    private WorkflowVersions() {}

    private static String number(String version) {
        return version.split("[-+]", 2)[0];
    }

    private static int compareNumbers(String first, String second) {
        String[] left = DOT.split(first);
        String[] right = DOT.split(second);
        for (int i = 0; i < Math.min(left.length, right.length); i++) {
            int order = new java.math.BigInteger(left[i]).compareTo(new java.math.BigInteger(right[i]));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.length, right.length);
    }
}
