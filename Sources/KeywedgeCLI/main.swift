print("keywedge")
