// Does not compile: the test expects an error in each of the lines below.
package main

import (
	lookoutv1 "lookout.dev/client/lookout/v1"
	"lookout.dev/client/querytype"
	"lookout.dev/client/values"
)

func main() {
	pages, _ := querytype.TopPages.Rows(&lookoutv1.QueryAnswer{})
	_ = pages[0].Veiws               // error
	_ = querytype.TopPagse           // error
	var _ string = pages[0].Views    // error
	_ = lookoutv1.Query{Presett: ""} // error
	_ = values.Interval7Parsecs      // error
}
