@NullMarked
package dev.parley.control.deadletters;

import org.jspecify.annotations.NullMarked;
