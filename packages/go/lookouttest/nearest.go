package lookouttest

import "strings"

// nearest is the name that was probably meant: the one with the fewest changes, if they are few. It is empty where none is near.
func nearest(text string, names []string) string {
	best, fewest := "", (len(text)+2)/3+1
	for _, name := range names {
		if changes := changesBetween(strings.ToLower(text), strings.ToLower(name)); changes < fewest {
			best, fewest = name, changes
		}
	}
	return best
}

// changesBetween is how many letters have to be added, removed or replaced to make one text the other.
func changesBetween(one, other string) int {
	row := make([]int, len(other)+1)
	for column := range row {
		row[column] = column
	}
	for line := range len(one) {
		next := append(make([]int, 0, len(row)), line+1)
		for column := range len(other) {
			replaced := row[column]
			if one[line] != other[column] {
				replaced++
			}
			next = append(next, min(next[column]+1, row[column+1]+1, replaced))
		}
		row = next
	}
	return row[len(other)]
}
