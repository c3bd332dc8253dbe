package dev.parley.memory.search;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.StopFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.Tokenizer;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/** Tokenises texts for keyword search: lower case, English stemming, stop words removed. */
final class Terms {
    /** Stop words: the most frequent words have the longest postings and the least information. */
    private static final Set<String> EMPTY = Set.of(
            ("a about after again all also am an and any are as at be been before being both but by can could did do does doing "
                            + "down each few for from had has have having he her here hers him his how i if in into is it its "
                            + "just may me might more most must my no nor not of off on once only or other our out over own "
                            + "please same shall she should so some such than that the their them then there these they this "
                            + "those through to too under until up very was we were what when where which while who whom why "
                            + "will with would you your")
                    .split(" "));

    private static final Analyzer ANALYZER = new Analyzer() {
        @Override
        protected TokenStreamComponents createComponents(String field) {
            Tokenizer tokens = new StandardTokenizer();
            TokenStream filtered = new LowerCaseFilter(new EnglishPossessiveFilter(tokens));
            filtered = new StopFilter(filtered, new CharArraySet(EMPTY, false));
            return new TokenStreamComponents(tokens, new PorterStemFilter(filtered));
        }
    };

    private Terms() {}

    /** The terms in order, with repetitions. */
    static List<String> of(String text) {
        try (TokenStream stream = ANALYZER.tokenStream("", text)) {
            CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
            var terms = new ArrayList<String>();
            stream.reset();
            while (stream.incrementToken()) {
                terms.add(term.toString());
            }
            stream.end();
            return terms;
        } catch (IOException e) {
            throw new UncheckedIOException("a text in memory could not be read", e);
        }
    }
}
