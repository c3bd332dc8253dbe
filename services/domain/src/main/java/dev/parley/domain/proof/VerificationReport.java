package dev.parley.domain.proof;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/** What was counted and found. It keeps the newest findings up to a bound, and the number of all. */
public final class VerificationReport {
    private final int most;
    private final Map<String, Map<String, Long>> counts = new TreeMap<>();
    private final Map<FindingKind, Long> found = new EnumMap<>(FindingKind.class);
    private final PriorityQueue<Finding> newest = new PriorityQueue<>(Finding.NEWEST_FIRST.reversed());

    /** @param most findings that are kept, at least 1 */
    public VerificationReport(int most) {
        this.most = most;
    }

    /** Counts one more. @param group such as {@code turns}, {@code what} such as {@code completed} */
    public void count(String group, String what) {
        count(group, what, 1);
    }

    /** Counts so many more. */
    public void count(String group, String what, long more) {
        counts.computeIfAbsent(group, _ -> new TreeMap<>()).merge(what, more, Long::sum);
    }

    void find(Finding finding) {
        found.merge(finding.kind(), 1L, Long::sum);
        newest.add(finding);
        if (newest.size() > most) {
            newest.poll();
        }
    }

    /** What was counted, by group. */
    public Map<String, Map<String, Long>> counts() {
        return counts;
    }

    /** How many there are of each kind of finding. */
    public Map<FindingKind, Long> found() {
        return found;
    }

    /** How many findings there are, also those that are not kept. */
    public long total() {
        return found.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The newest findings, the newest first. */
    public List<Finding> newest() {
        var all = new ArrayList<>(newest);
        all.sort(Finding.NEWEST_FIRST);
        return all;
    }
}
