package dev.parley.memory.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Inverted-file index of the vectors of one generation in one bank. Similar vectors of items of one sort share a cell,
 * which is split when full; cells hold a {@link SignSketch} of each vector. Versions that are no longer current are in
 * no cell and are only compared exactly.
 */
final class IvfIndex {
    /** Any sort. */
    static final int ANY = -1;

    private static final int FULL = 2_048;
    private static final int ROUNDS = 4;
    private static final double SLACK = 3;

    /** Cells compared with a vector to find its cell; preselected by signs where there are more. */
    private static final int HOMES = 32;

    /** Minimum number of cells compared with a query. */
    private static final int CELLS = 64;

    /** Assumed vectors in a cell when many are to be examined; nearly all cells have more. */
    private static final int MEMBERS = 128;

    private final Vectors vectors;
    private final int longs;
    private final List<Sort> sorts = new ArrayList<>();
    private final BitSet past = new BitSet();
    private final BitSet there = new BitSet();
    private int[] slots = {};
    private @Nullable Cell[] homes = {};
    private int size;

    /** The cells of one sort, with their centroids. */
    private final class Sort {
        private final List<Cell> cells = new ArrayList<>();
        private final Centroids centres = new Centroids(longs);

        /** The closest cell, the first of equals; there is at least one. */
        Cell closestCell(float[] vector) {
            float[] similarities = centres.similarities(vector, SignSketch.of(vector), HOMES);
            int closest = 0;
            for (int i = 1; i < similarities.length; i++) {
                closest = similarities[i] > similarities[closest] ? i : closest;
            }
            return cells.get(closest);
        }
    }

    private final class Cell {
        private final Sort sort;
        private final int number;
        private int[] rows = new int[8];
        private long[] signs = new long[8 * longs];
        private int members;

        Cell(Sort sort, float[] centre) {
            this.sort = sort;
            number = sort.cells.size();
            sort.cells.add(this);
            sort.centres.add(centre);
        }

        void add(int row, float[] vector) {
            if (members == rows.length) {
                rows = Arrays.copyOf(rows, 2 * members);
                signs = Arrays.copyOf(signs, 2 * members * longs);
            }
            rows[members] = row;
            SignSketch.of(vector, signs, members * longs);
            members++;
            homes[row] = this;
        }

        void remove(int row) {
            int i = 0;
            while (rows[i] != row) {
                i++;
            }
            members--;
            rows[i] = rows[members];
            System.arraycopy(signs, members * longs, signs, i * longs, longs);
            homes[row] = null;
        }
    }

    IvfIndex(Vectors vectors) {
        this.vectors = vectors;
        longs = SignSketch.longs(vectors.dimensions());
    }

    /** Whether a vector has the right number of dimensions; otherwise another model made it. */
    boolean fits(float[] vector) {
        return vector.length == vectors.dimensions();
    }

    /** Number of current versions with a vector. */
    int size() {
        return size;
    }

    boolean has(int row) {
        return there.get(row);
    }

    float[] vector(int row) {
        return vectors.read(slots[row]);
    }

    double similarity(int row, float[] vector) {
        return has(row) && fits(vector) ? dot(vector, vector(row)) : Double.NaN;
    }

    /**
     * @param sort small number from 0; searches can be restricted to one sort
     * @param isCurrent whether this version is current
     */
    void add(int row, float[] vector, int sort, boolean isCurrent) {
        if (row >= slots.length) {
            int room = Math.max(row + 1, slots.length + (slots.length >> 1) + 8);
            slots = Arrays.copyOf(slots, room);
            homes = Arrays.copyOf(homes, room);
        }
        slots[row] = vectors.add(vector);
        there.set(row);
        if (isCurrent) {
            size++;
            Cell cell = closestCell(vector, sort);
            cell.add(row, vector);
            if (cell.members == FULL) {
                split(cell);
            }
        } else {
            past.set(row);
        }
    }

    /** The version is no longer current. */
    void retire(int row) {
        Cell cell = has(row) ? homes[row] : null;
        if (cell != null) {
            cell.remove(row);
            past.set(row);
            size--;
        }
    }

    void remove(int row) {
        if (has(row)) {
            Cell cell = homes[row];
            if (cell != null) {
                cell.remove(row);
                size--;
            }
            past.clear(row);
            there.clear(row);
            vectors.remove(slots[row]);
        }
    }

    /** Frees the vectors. Nothing else may be called afterwards. */
    void release() {
        there.stream().forEach(row -> vectors.remove(slots[row]));
    }

    /** Compares all vectors, optionally also those of past versions. */
    void searchAll(float[] query, boolean alsoPast, IntPredicate accepted, double floor, TopK best) {
        float[] buffer = new float[query.length];
        for (int row = there.nextSetBit(0); row >= 0; row = there.nextSetBit(row + 1)) {
            if (alsoPast || !past.get(row)) {
                offer(query, row, buffer, accepted, floor, best);
            }
        }
    }

    /**
     * Compares the vectors of the closest cells.
     *
     * @param sort of the items that are compared, or {@link #ANY}
     * @param maxSketched maximum number of accepted vectors whose signs are compared
     * @param maxCompared maximum number of those that are then compared exactly; fewer where the signs show that they
     *     are below the floor
     */
    void searchClosest(
            float[] query, int sort, int maxSketched, int maxCompared, IntPredicate accepted, double floor, TopK best) {
        long[] signs = SignSketch.of(query);
        var shortlist = new Shortlist(signs, maxDifference(floor));
        for (Cell cell : cellsBySimilarity(query, signs, sort, Math.max(CELLS, maxSketched / MEMBERS))) {
            if (shortlist.sketched >= maxSketched) {
                break;
            }
            shortlist.add(cell, accepted);
        }
        shortlist.offer(query, maxCompared, floor, best);
    }

    /** Vectors whose signs are similar to those of a query. */
    private final class Shortlist {
        private final long[] signs;
        private final int maxDifference;
        private final int[] countByDifference = new int[longs * Long.SIZE + 1];
        private int[] rows = new int[FULL];
        private short[] differences = new short[FULL];
        private int size;
        private int sketched;

        Shortlist(long[] signs, int maxDifference) {
            this.signs = signs;
            this.maxDifference = maxDifference;
        }

        /** Compares the signs of the accepted vectors of a cell. */
        void add(Cell cell, IntPredicate accepted) {
            if (size + cell.members > rows.length) {
                rows = Arrays.copyOf(rows, 2 * rows.length);
                differences = Arrays.copyOf(differences, rows.length);
            }
            for (int i = 0; i < cell.members; i++) {
                if (accepted.test(cell.rows[i])) {
                    sketched++;
                    int difference = SignSketch.different(signs, cell.signs, i * longs);
                    if (difference <= maxDifference) {
                        rows[size] = cell.rows[i];
                        differences[size++] = (short) difference;
                        countByDifference[difference]++;
                    }
                }
            }
        }

        /** Compares the most similar vectors exactly. */
        void offer(float[] query, int maxCompared, double floor, TopK best) {
            int limit = SignSketch.limit(countByDifference, maxCompared);
            float[] buffer = new float[query.length];
            for (int i = 0; i < size; i++) {
                if (differences[i] <= limit) {
                    IvfIndex.this.offer(query, rows[i], buffer, row -> true, floor, best);
                }
            }
        }
    }

    private void offer(float[] query, int row, float[] buffer, IntPredicate accepted, double floor, TopK best) {
        vectors.read(slots[row], buffer);
        double similarity = dot(query, buffer);
        if (similarity >= floor && best.accepts(similarity) && accepted.test(row)) {
            best.offer(row, similarity);
        }
    }

    /**
     * The maximum number of differing signs for a cosine: the expected number for its angle plus three standard
     * deviations.
     */
    private int maxDifference(double cosine) {
        int numbers = vectors.dimensions();
        double share = Math.acos(Math.clamp(cosine, -1, 1)) / Math.PI;
        return (int) Math.ceil(numbers * share + SLACK * Math.sqrt(numbers * share * (1 - share)) + 1);
    }

    /** The cells by similarity; cells far away are left out. */
    private List<Cell> cellsBySimilarity(float[] query, long[] signs, int sort, int atLeast) {
        List<Sort> selected = sort == ANY ? sorts : sort < sorts.size() ? List.of(sorts.get(sort)) : List.of();
        var cells = new ArrayList<Cell>();
        for (Sort group : selected) {
            cells.addAll(group.cells);
        }
        long[] order = new long[cells.size()];
        int count = 0;
        int number = 0;
        for (Sort group : selected) {
            for (float similarity : group.centres.similarities(query, signs, atLeast)) {
                if (similarity != Centroids.FAR) {
                    order[count++] = (long) descending(similarity) << Integer.SIZE | number;
                }
                number++;
            }
        }
        Arrays.sort(order, 0, count);
        return Arrays.stream(order, 0, count)
                .mapToObj(entry -> cells.get((int) entry))
                .toList();
    }

    /** A number that orders floats in descending order. */
    private static int descending(float number) {
        int bits = Float.floatToIntBits(number);
        return ~(bits ^ bits >> Integer.SIZE - 1 & Integer.MAX_VALUE);
    }

    private Cell closestCell(float[] vector, int sort) {
        while (sorts.size() <= sort) {
            sorts.add(new Sort());
        }
        Sort group = sorts.get(sort);
        return group.cells.isEmpty() ? new Cell(group, vector) : group.closestCell(vector);
    }

    /** Splits a cell by 2-means, starting from the first vector and the one farthest from it. */
    private void split(Cell full) {
        float[][] points = new float[full.members][];
        for (int i = 0; i < points.length; i++) {
            points[i] = vector(full.rows[i]);
        }
        float[] left = points[0];
        float[] right = Arrays.stream(points)
                .min(Comparator.comparingDouble(vector -> dot(vector, points[0])))
                .orElseThrow();
        boolean[] isRight = new boolean[points.length];
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < points.length; i++) {
                isRight[i] = dot(points[i], right) > dot(points[i], left);
            }
            left = mean(points, isRight, false, left);
            right = mean(points, isRight, true, right);
        }
        halveEqualOnes(isRight);
        distribute(full, points, isRight, left, right);
    }

    /** Moves the vectors of a cell that are on the right to a new cell. */
    private void distribute(Cell full, float[][] points, boolean[] isRight, float[] left, float[] right) {
        int[] rows = Arrays.copyOf(full.rows, full.members);
        full.sort.centres.set(full.number, left);
        full.members = 0;
        Cell other = new Cell(full.sort, right);
        for (int i = 0; i < rows.length; i++) {
            (isRight[i] ? other : full).add(rows[i], points[i]);
        }
    }

    /** Equal vectors are split in halves, so that no cell stays full. */
    private static void halveEqualOnes(boolean[] isRight) {
        int right = 0;
        for (boolean side : isRight) {
            right += side ? 1 : 0;
        }
        if (right == 0 || right == isRight.length) {
            Arrays.fill(isRight, 0, isRight.length / 2, false);
            Arrays.fill(isRight, isRight.length / 2, isRight.length, true);
        }
    }

    private static float[] mean(float[][] points, boolean[] isRight, boolean side, float[] before) {
        float[] sum = new float[before.length];
        boolean hasMember = false;
        for (int i = 0; i < points.length; i++) {
            if (isRight[i] == side) {
                hasMember = true;
                for (int j = 0; j < sum.length; j++) {
                    sum[j] += points[i][j];
                }
            }
        }
        double length = Math.sqrt(dot(sum, sum));
        if (!hasMember || length == 0) {
            return before;
        }
        for (int j = 0; j < sum.length; j++) {
            sum[j] /= (float) length;
        }
        return sum;
    }

    /** Dot product with eight accumulators, so that additions do not wait for each other. */
    static float dot(float[] left, float[] right) {
        float a = 0;
        float b = 0;
        float c = 0;
        float d = 0;
        float e = 0;
        float f = 0;
        float g = 0;
        float h = 0;
        int i = 0;
        for (int end = left.length & ~7; i < end; i += 8) {
            a += left[i] * right[i];
            b += left[i + 1] * right[i + 1];
            c += left[i + 2] * right[i + 2];
            d += left[i + 3] * right[i + 3];
            e += left[i + 4] * right[i + 4];
            f += left[i + 5] * right[i + 5];
            g += left[i + 6] * right[i + 6];
            h += left[i + 7] * right[i + 7];
        }
        for (; i < left.length; i++) {
            a += left[i] * right[i];
        }
        return a + b + (c + d) + (e + f + (g + h));
    }
}
